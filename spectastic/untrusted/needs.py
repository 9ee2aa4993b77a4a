"""Words without which a phrase cannot be there: one that is rare, and others near it.

`words` is text as `words_of` gives it. Words are single, for what stands between two of them may be a blank,
a line end or a mark. A word between blanks is a whole word; others may be part of one.
"""

from __future__ import annotations

#: No phrase is longer, in characters.
LONGEST = 120

_VERBS = "ignor|disregard|forget|overrid|bypass"
_NOUNS = "instruct|prompt"
_MODELS = " ai |llm|gpt|language| chat"
_NOT = " not | never | t "

Groups = tuple[tuple[bytes, ...], ...]


def _groups(written: str) -> Groups:
    return tuple(tuple(word.encode() for word in group.split("|")) for group in written.split("&"))


#: Each phrase by its name. One word of the first group is the rare one; of each other group one is near it.
NEEDS = {
    name: _groups(written)
    for name, written in {
        "instructions": f"{_VERBS}&{_NOUNS}|directive|guideline",
        "those above": f"{_VERBS}&{_NOUNS}|directive|guideline& you | above | before ",
        "everything known": f"{_VERBS}& you & know | were | learned | have | had ",
        "everything above": f"{_VERBS}& above ",
        "not follow": f"{_NOUNS}&follow|obey& not | t |stop|refuse",
        "german": "ignor&anweisung|prompt",
        "french": "ignor&instruct",
        "spanish": "ignor&instruc|istruzion",
        "now": " now & you & are ",
        "from now on": " now & you & from ",
        "pretend": "pretend& be | are | re ",
        "act as": f"{_MODELS}& act & as ",
        "new instructions": f"{_NOUNS}& new ",
        "own prompt": f"{_NOUNS}& your |system|hidden|secret|developer"
        "&reveal|repeat|print|output|show|display|disclose|leak|send|share|expose|recite|dump|tell|give",
        "not tell": f" tell &{_NOT}& about | of | this | these | that | it | the ",
        "not reveal": f"reveal&{_NOT}& to ",
        "if you are": f"{_MODELS}& you & are | re & if | when | since | because | as ",
        "note to": f"{_MODELS}& to | for &attention|note|message|notice|hint|instruct",
        "dear": f"{_MODELS}|assistant& dear | hey | hello | hi | attention ",
        "carry out": "conversation|credential|prompt| chat&http| url | link | image | query | webhook "
        "&append|add|insert|include|encode|send|post|upload|forward|exfiltrate|put",
    }.items()
}
#: How near, where a phrase is always short; the others may be as long as any.
NEARER = {"new instructions": 48}

#: The same by the rare word: each phrase, and what has to be near the word.
BY_ANCHOR: dict[bytes, tuple[tuple[str, Groups], ...]] = {
    anchor: tuple((name, groups[1:]) for name, groups in NEEDS.items() if anchor in groups[0])
    for anchor in dict.fromkeys(word for groups in NEEDS.values() for word in groups[0])
}
#: The rare words as they are written in full, and what they are searched for by. To look up all words of a
#: text costs less than to search the text for each of these.
FORMS = {
    form.encode(): anchor
    for anchor, forms in {
        b"ignor": "ignore ignoring ignorier ignoriere ignorieren ignoriert ignorez ignorer ignora"
        " ignorad ignorar ignoren ignorate ignorare ignorando",
        b"disregard": "disregard disregarding",
        b"forget": "forget",
        b"overrid": "override overriding",
        b"bypass": "bypass bypassing",
        b"instruct": "instruction instructions",
        b"prompt": "prompt prompts",
        b" now ": "now",
        b"pretend": "pretend",
        b" ai ": "ai",
        b"llm": "llm llms",
        b"gpt": "gpt",
        b"language": "language",
        b" chat": "chat chatgpt chatbot chatbots",
        b" tell ": "tell",
        b"reveal": "reveal",
        b"assistant": "assistant",
        b"conversation": "conversation conversations",
        b"credential": "credentials",
        b"system": "system",
    }.items()
    for form in forms.split()
}
RARE = frozenset(FORMS)
#: Who begins a turn in a chat template.
ROLES = (b"system", b"assistant", b"instruct")
BY_ANCHOR[b"system"] = ()
#: What a comment that speaks to a model has at least one of.
COMMENTS = frozenset(
    word.encode() for word in (*_MODELS.split("|"), "assistant", "system", " tell ", "reveal")
)


def near(words: bytes, anchor: bytes, name: str, groups: Groups) -> bool:
    """Whether a word of each group stands near a rare word of a phrase, wherever that is."""
    reach = NEARER.get(name, LONGEST)
    at = words.find(anchor)
    while at >= 0:
        start, end = max(0, at - reach), at + reach + 2
        if all(any(words.find(word, start, end) >= 0 for word in group) for group in groups):
            return True
        at = words.find(anchor, at + 1)
    return False


def needed(words: bytes, name: str) -> bool:
    """Whether a phrase may be there."""
    anchors, *groups = NEEDS[name]
    return any(near(words, anchor, name, tuple(groups)) for anchor in anchors)
