"""What is said to a model and to nobody else. Patterns for text that was folded (`lookalikes`).

A phrase counts where it tells somebody to do something. "The operator may ignore earlier instructions" and
"never ignore previous instructions" do not: see `Phrase.told`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.untrusted.lookalikes import Folded

#: What stands between two words: blanks, line ends, marks of quotes and emphasis, but no end of a sentence.
_ = "(?:[^\\w.!?;]|_){1,12}"
_EARLIER = (
    "(?:previous|previously|prior|preceding|earlier|above|foregoing|former|existing|original|initial|current"
    "|system|safety|developer|your|given)"
)
_ORDERS = "(?:instruction|prompt|directive|guideline|direction)s?"
_FEW = f"(?:(?:all|any|every|each|of|the|these|those|my|our|other|and|or|user){_}){{0,5}}"
_AGAINST = "(?:ignore|ignoring|disregard|disregarding|forget|override|overriding|bypass|bypassing)"
_MODEL = (
    "(?:(?:ai|coding|llm) (?:assistants?|agents?|models?|reviewers?|systems?)"
    "|ais?|llms?|(?:large )?language models?|chatbots?|chatgpt|gpt)"
).replace(" ", _)
_ROLE = (
    "(?:assistant|ai|model|language model|agent|bot|chatbot|dan|hacker|administrator|root|jailbroken"
    "|unrestricted|unfiltered|uncensored|developer mode|god mode)"
).replace(" ", _)
_WORDS = f"(?:[^\\W_]{{1,20}}{_}){{0,3}}"
_REVIEWER = "(?:user|human|operator|reader|reviewer|developer|author)s?"
_OPENLY = f"(?:about{_}|of{_})?(?:this|these|that{_}you|the{_}above|it)\\b"
_PRIVATE = "(?:conversations?|chat history|system prompt|user prompt|credentials)".replace(" ", _)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.DOTALL)


class Phrase(NamedTuple):
    """A way to address a model: what it does, and the pattern of its words, compiled when it is needed.

    Text without one of each group of `needs` need not be searched. Where `told` is set, a phrase counts
    only as something that somebody is told to do.
    """

    does: str
    needs: tuple[tuple[str, ...], ...]
    pattern: str
    told: bool = True


def _phrase(does: str, needs: str, *patterns: str, told: bool = True) -> Phrase:
    groups = tuple(tuple(group.split("|")) for group in needs.split("&"))
    return Phrase(does, groups, f"\\b(?:{'|'.join(patterns)})", told)


_SET_ASIDE = "tells a model to set its instructions aside"
_ROLES = "gives a model another role"
_ADDRESS = "speaks to a model"
_VERBS = "ignor|disregard|forget|overrid|bypass"
_NOUNS = "instruction|prompt|directive|guideline|direction"
_MODELS = "ai|llm|language|assistant|chatbot|gpt"

PHRASES = (
    _phrase(
        _SET_ASIDE,
        f"{_VERBS}&{_NOUNS}",
        f"{_AGAINST}{_}{_FEW}{_EARLIER}{_}{_FEW}(?:{_EARLIER}{_}{_FEW}){{0,3}}{_ORDERS}\\b",
        f"{_AGAINST}{_}{_FEW}{_ORDERS}{_}(?:(?:that{_})?you{_}(?:were|have|had)|above|before{_}this)\\b",
    ),
    _phrase(
        _SET_ASIDE,
        "ignor|disregard|forget|overrid|bypass&above|you",
        f"{_AGAINST}{_}(?:all{_}(?:of{_})?)?(?:everything|anything|all|what){_}(?:that{_})?"
        f"you{_}(?:know|were|learned|(?:have|had){_}(?:been|read))\\b",
        f"{_AGAINST}{_}(?:everything|all|anything){_}(?:of{_})?(?:(?:that|is|was|came|stands|said|written|the|text){_}){{0,4}}"
        "above(?:[\\W_]{1,3}this)?(?=[\\W_]{0,3}(?:[.!:;,\\n]|$|(?:and|then|instead|now)\\b))",
        f"{_AGAINST}{_}the{_}above(?=[\\W_]{{0,3}}(?:[.!:;,\\n]|$|(?:and|then|instead|now)\\b))",
    ),
    _phrase(
        _SET_ASIDE,
        "follow|obey&instruction|prompt",
        f"(?:do{_}not|don{_}t|stop|refuse{_}to){_}(?:follow|obey)(?:ing)?{_}{_FEW}"
        f"(?:{_EARLIER}{_}{_FEW}){{1,3}}{_ORDERS}\\b",
    ),
    _phrase(
        _SET_ASIDE,
        "ignor&anweisung|prompt",
        f"ignorier\\w{{0,3}}{_}{_WORDS}(?:vorherig|vorig|vorhergehend|bisherig|obig|fruher|system)\\w{{0,3}}{_}"
        "(?:anweisung|prompt)\\w{0,3}",
    ),
    _phrase(
        _SET_ASIDE,
        "ignor&instruc|istruzion",
        f"ignor\\w{{0,3}}{_}{_WORDS}instructions?{_}(?:precedent|anterieur|ci{_}dessus|initial)\\w{{0,3}}",
        f"ignor\\w{{0,3}}{_}{_WORDS}(?:instruc|istruzion)\\w{{0,6}}{_}(?:anterior|previ|precedent)\\w{{0,3}}",
    ),
    _phrase(
        _ROLES,
        f"now|pretend|act&{_MODELS}|are now|from now",
        f"you{_}are{_}now{_}{_WORDS}{_ROLE}\\b",
        f"from{_}now{_}on{_}you{_}(?:(?:are|will|must|should|shall){_}(?:an?{_})?(?:act|respond|answer|obey|behave|reply|{_ROLE})"
        "|act|respond|answer|obey|behave|reply)\\b",
        f"pretend{_}(?:to{_}be|that{_}you{_}are|you{_}are|you{_}re){_}{_WORDS}{_ROLE}\\b",
        f"act{_}as{_}(?:if{_}you{_}(?:are|were){_})?{_WORDS}(?:ai|language{_}model|llm|chatbot|jailbroken|unrestricted)\\b",
    ),
    _phrase(
        _ROLES,
        "instruction|prompt&new",
        f"your{_}new{_}(?:instruction|prompt)s?{_}(?:is|are)\\b",
        f"new{_}(?:system{_})?(?:instructions?|prompt)[ \t*_]{{0,4}}:",
    ),
    _phrase(
        "asks a model for its prompt",
        "instruction|prompt&your|system|hidden|secret|developer",
        "(?:reveal|repeat|print|output|show|display|disclose|leak|send|share|expose|recite|dump|tell|give)"
        f"{_}(?:(?:me|us|all|of|the|out|exact|full|entire|contents?|verbatim){_}){{0,5}}"
        f"(?:your{_}(?:(?:system|hidden|initial|original|secret|developer|full|own){_}){{0,2}}(?:prompt|instruction)s?"
        f"|(?:system|hidden|secret|developer){_}(?:prompts?|instructions))\\b",
    ),
    _phrase(
        "tells a model to keep something from people",
        "tell|reveal&not|never|don",
        f"(?:do{_}not|don{_}t|never){_}tell{_}the{_}{_REVIEWER}{_}{_OPENLY}",
        f"(?:do{_}not|don{_}t|never){_}reveal{_}{_OPENLY}{_}"
        f"(?:(?:instruction|text|note|prompt|message|comment)s?{_})?to{_}(?:the{_}{_REVIEWER}|anyone|anybody)\\b",
        told=False,
    ),
    _phrase(
        _ADDRESS,
        f"{_MODELS}&you|note|message|attention|instruction|notice|hint|important|dear|hey|hello|hi",
        f"(?:if|when|since|because|as){_}you{_}(?:are|re){_}(?:an?{_}|the{_})?{_MODEL}\\b",
        f"(?:attention|note|message|instructions?|notice|hint|important){_}(?:to|for){_}(?:(?:all|any|the|every|other){_}){{0,2}}{_MODEL}\\b",
        f"(?:dear|hey|hello|hi|attention){_}(?:{_MODEL}|assistant)\\b",
        told=False,
    ),
    _phrase(
        "tells a model to carry data out",
        "conversation|credential|prompt&http|url|link|image|query|webhook",
        f"(?:append|add|insert|include|encode|send|post|upload|forward|exfiltrate|put){_}{_WORDS}{_PRIVATE}{_}{_WORDS}{_WORDS}"
        f"(?:to|into|in|at|as){_}{_WORDS}(?:https?|url|link|image|query|webhook)\\b",
    ),
)

#: What is odd only where no reader sees it: a comment that begins with the name of a model, or of a role.
_UNSEEN = (
    f"\\s*(?:{_MODEL}|assistant|system)\\s{{0,3}}[:,]\\s{{0,3}}\\w"
    f"|.{{0,200}}\\b(?:do{_}not|don{_}t|never){_}(?:tell|reveal){_}(?:this|these|it|the{_}{_REVIEWER})\\b"
)

_MODAL = "may|might|can|could|would|will|shall|should|must"
_NEXT = "(?:[^\\w.!?;:,]|_){1,3}"
_ADVERB = f"(?:[^\\W_]{{2,15}}ly{_NEXT})?"
#: What may stand before a phrase that only speaks of what somebody does, or must not do.
_SPOKEN_OF = (
    f"\\b(?:{_MODAL}|cannot|does|did|not|never|t|nor|without|of|by|from|to|he|she|it|they|we|i|that|which|who)"
    f"{_NEXT}{_ADVERB}$"
)
_TOLD = (
    "\\b(?:you|sure|remember|have|need|required|instructed|important|want|must|now|asked)"
    f"{_NEXT}to{_NEXT}$|\\byou{_NEXT}(?:{_MODAL}){_NEXT}{_ADVERB}$"
)
#: How far back that is looked for, in characters.
_BEFORE = 48


def said(folded: Folded) -> Iterator[tuple[str, int, int]]:
    """What text asks of a model, and where in the folded text: `[start, end)`. Phrases may overlap."""
    text = folded.text
    for phrase in PHRASES:
        if all(any(word in text for word in words) for words in phrase.needs):
            for match in _compiled(phrase.pattern).finditer(text):
                if not phrase.told or _is_told(text[max(0, match.start() - _BEFORE) : match.start()]):
                    yield phrase.does, *match.span()


def _is_told(before: str) -> bool:
    """Whether somebody is told to do what comes after this, and it is not only spoken of."""
    return not _compiled(_SPOKEN_OF).search(before) or _compiled(_TOLD).search(before) is not None


def is_private(comment: Folded) -> bool:
    """Whether a comment, folded, speaks to a model."""
    return _compiled(_UNSEEN).match(comment.text) is not None
