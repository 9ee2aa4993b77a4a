"""What chat templates put between the turns of a conversation: patterns for folded text (`lookalikes`).

`WIDE` is everything that could be taken for such a marker: in a fence none of it is left as it stands.
`CERTAIN` is what nobody writes by chance: the rule reports it. Whatever is certain is wide.
"""

from __future__ import annotations

import re

_BLANKS = "[ \t]{0,3}"
_SPEAKERS = "system|developer|assistant|human|user|model|bot|ai|agent|tool|function|instructions?|response"
_ELEMENTS = "sys|prompt|thinking|start_of_turn|end_of_turn"
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
    "you are|you must|you will|ignore|disregard|forget|from now on|always|never|override|new instruction|sure"
    "|of course"
)

#: One for each kind, since one marker may begin inside another. Group 1 is the character that makes it one.
WIDE = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        f"(<){_BLANKS}\\|",
        f"(\\|){_BLANKS}>",
        f"(\\[){_BLANKS}/?{_BLANKS}(?:{_BRACKETED})",
        f"(<){_BLANKS}/?{_BLANKS}(?:[a-z]{{1,20}}:)?(?:{_SPEAKERS}|{_ELEMENTS})",
        f"(<){_BLANKS}/?{_BLANKS}(?:s|bos|eos|pad|unk|mask){_BLANKS}>",
        f"^[^\\w\n<]*+(?:{_SPEAKERS})(?:(?!:)[\\W_]){{0,4}}(:)",
        f"^[^\\w\n#<]*+(#){{1,6}}{_BLANKS}(?:{_SPEAKERS})",
    )
)

#: Text without any of these holds nothing that is certain.
NEEDS = ("<|", "inst", "sys", "_of_turn", "assistant", "prompt")

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
        )
    ),
    re.MULTILINE,
)
