"""Text that others wrote, on its way to a model: looked at, and fenced.

`suspicious` is the quick question, asked of every document. Where it says yes, `look` answers exactly.
"""

from __future__ import annotations

_ORDERS = ("instru", "prompt", "directi", "guideline", "above", "everything", "you", "anweis", "istruzion")
_WHOSE = (
    *("your", "new instruct", "new prompt", "new system", "system instruct", "system prompt", "hidden"),
    *("secret", "developer", "not follow", "not obey", "t follow", "stop follow", "stop obey"),
    *("prompt]", "instruction:", "for ai"),
)
#: ASCII text in lower case that holds none of these words has no phrase, no marker and no hidden text that
#: `look` finds; nor has one that holds a word and none of those beside it, where there are some. Each word
#: is searched for in every document: few and long ones cost least.
STEMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    *((verb, _ORDERS) for verb in ("disregard", "overrid", "forget", "bypass", "ignor")),
    *((noun, _WHOSE) for noun in ("instruct", "prompt")),
    *((model, ()) for model in ("language model", "assistant", " ai", "llm")),
    ("chat", ("chatbot", "chatgpt")),
    *((start, ()) for start in ("are now", "from now", "tell the", "reveal")),
    *((private, ()) for private in ("conversation", "credential")),
    ("sys", ("sys>", "<system", "</system", "system:", "system**:")),
    *((way, ()) for way in ("hidden", "style=", "_of_turn")),
)
_CONTROLS = bytes([*range(0x01, 0x09), *range(0x0E, 0x20), 0x7F])
_ASCII = bytes(range(0x80))


def suspicious(text: str) -> bool:
    """Whether a text may hold what `look` finds: mostly not, and that is quick."""
    lowered = text.lower()
    for stem, beside in STEMS:
        if stem in lowered and (not beside or any(word in lowered for word in beside)):
            return True
    # To search for one character costs next to nothing.
    if ("|" in lowered and "<|" in lowered) or ("]" in lowered and "inst]" in lowered):
        return True
    if "&" in lowered and "&#" in lowered:
        return True
    if ("{" in lowered or "?" in lowered) and "://" in lowered:
        return True
    return has_controls(text) or (not text.isascii() and _is_odd(text))


def has_controls(text: str) -> bool:
    """Whether a text holds ASCII that nobody sees, but for NUL, tab and what ends lines and pages."""
    encoded = text.encode("utf-8", "replace")
    return len(encoded.translate(None, _CONTROLS)) < len(encoded)


def _is_odd(text: str) -> bool:
    """Whether a text holds something invisible, or something that looks like ASCII and is not."""
    from spectastic.untrusted.lookalikes import is_odd

    return is_odd(text.encode("utf-8", "replace").translate(None, _ASCII).decode())
