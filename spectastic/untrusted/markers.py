"""What chat templates put between the turns of a conversation: patterns for folded text (`lookalikes`).

`WIDE` is everything that could be taken for such a marker: in a fence none of it is left as it stands.
`CERTAIN` is what nobody writes by chance: the rule reports it. Whatever is certain is wide.
"""

from __future__ import annotations

import re

_BLANKS = "[ \t]{0,3}"
_SPEAKERS = "system|developer|assistant|human|user|model|bot|ai|agent|tool|function|instructions?|response"
_TOKENS = (
    "im_start|im_end|im_sep|system|developer|user|assistant|human|tool|observation|end|endoftext|endofprompt"
    "|begin_of_text|end_of_text|start_header_id|end_header_id|eot_id|eom_id|python_tag|start|channel|message|return|call"
    "|start_of_role|end_of_role|fim_prefix|fim_middle|fim_suffix|begin_of_sentence|end_of_sentence"
    "|tool_calls?_begin|tool_calls?_end|tool_outputs?_begin|vision_start|vision_end"
)
#: Single marks of a template; the longer of two that begin alike comes first.
_BRACKETED = "inst|system_prompt|available_tools|tool_calls|tool_results"
#: Who speaks to a model goes on in one of these ways, and nobody else does.
_ADDRESS = (
    "you are|you must|you will|ignore|disregard|forget|from now on|override (?:all|any|every|the|your)"
    "|new instruction"
)

#: What may stand before the name of a speaker, at the start of a line: marks, numbers, and tags.
_START = "^(?:[^\\w\n<:]|[0-9_]|<[^<>\n]{0,40}>)*+"
_CLOSED = "(?:</[a-z]{1,10}>)?"
#: One for each kind, since one marker may begin inside another. Group 1 is the character that makes it one.
#: They are general: a template may call its marks anything, and a reader of a fence still sees the text.
WIDE = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        f"(<){_BLANKS}\\|",
        f"(\\|){_BLANKS}>",
        f"(<)(?=/?[a-z!?_]|{_BLANKS}/?{_BLANKS}[a-z0-9_:-]{{1,40}}{_BLANKS}>)",
        f"(\\[){_BLANKS}/?{_BLANKS}(?:{_BRACKETED})",
        f"(\\[){_BLANKS}/?{_BLANKS}[a-z_]{{2,20}}{_BLANKS}\\](?![(:])",
        f"{_START}(?:{_SPEAKERS})(?:(?!:)[\\W_]){{0,4}}{_CLOSED}(?:(?!:)[\\W_]){{0,4}}(:)",
        f"^[^\\w\n#<]*+(#){{1,6}}{_BLANKS}(?:{_SPEAKERS})",
        "(\\{)\\s{0,3}[\"'\u201c\u2018]?(?:role|content)[\"'\u201d\u2019]?\\s{0,3}:",
    )
)

CERTAIN = re.compile(
    "|".join(
        (
            f"<{_BLANKS}\\|{_BLANKS}(?:{_TOKENS}){_BLANKS}\\|{_BLANKS}>",
            f"\\[{_BLANKS}/?{_BLANKS}(?:inst|system_prompt){_BLANKS}\\]",
            f"<{_BLANKS}<{_BLANKS}/?{_BLANKS}sys{_BLANKS}>{_BLANKS}>",
            f"<{_BLANKS}/?{_BLANKS}(?:start_of_turn|end_of_turn){_BLANKS}>",
            "^[ \t>]{0,4}</?(?:system|assistant|system[-_](?:prompt|instructions?|reminder|message))>",
            f"^[ \t>]{{0,4}}#{{2,4}}[ \t]?(?:system|assistant|instruction){_BLANKS}:{_BLANKS}$",
            f"^[ \t>*_-]{{0,4}}(?:system|assistant)[*_ \t]{{0,4}}:[*_ \t]{{0,4}}(?:{_ADDRESS})\\b",
            "^[ \t>*_-]{0,4}assistant[*_ \t]{0,4}:[*_ \t]{0,4}(?:sure|of course)\\b",
        )
    ),
    re.MULTILINE,
)
