"""What is said to a model and to nobody else. Patterns for text that was folded (`lookalikes`).

A phrase counts where it tells somebody to do something. "The operator may ignore earlier instructions" and
"never ignore previous instructions" do not: see `When`.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from spectastic.untrusted import words_of
from spectastic.untrusted.needs import LONGEST, needed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.untrusted.lookalikes import Folded

#: Where a word begins.
_BEGINS = "(?<![^\\W_])"
#: What stands between two words: blanks, line ends, marks of quotes and emphasis, but no end of a sentence,
#: no colon and no empty line.
_ = "(?:[^\\w.!?;:\n]|_|\n(?![ \t>]{0,8}\n)){1,12}"
#: What a prompt is called that a program may have as well, and what only a model has.
_WEAK = "(?:existing|original|initial|current|former|given)"
_STRONG = "(?:previous|previously|prior|preceding|earlier|above|foregoing|system|safety|developer|your)"
_EARLIER = f"(?:{_WEAK}|{_STRONG})"
_ORDERS = "(?:instruction|prompt|directive|guideline)s?"
_FEW = f"(?:(?:all|any|every|each|of|the|these|those|my|our|other|and|or|user){_}){{0,5}}"
_AGAINST = "(?:ignore|ignoring|disregard|disregarding|forget)"
_AROUND = "(?:override|overriding|bypass|bypassing)"
_EITHER = f"(?:{_AGAINST}|{_AROUND})"
_MODEL = (
    "(?:(?:ai|llm) (?:assistants?|agents?|models?|reviewers?|systems?)"
    "|ai|llms?|(?:large )?language models?|chatbots?|chatgpt|gpt)"
).replace(" ", _)
_ROLE = (
    "(?:assistant|ai|model|language model|agent|bot|chatbot|dan|hacker|administrator|root|jailbroken"
    "|unrestricted|unfiltered|uncensored|developer mode|god mode)"
).replace(" ", _)
_WORDS = f"(?:[^\\W_]{{1,20}}{_}){{0,3}}"
_REVIEWER = "(?:user|human|operator|reader|reviewer|developer|author)s?"
_OPENLY = f"(?:about{_}|of{_})?(?:this|these|that{_}you|the{_}above|it)\\b"
_PRIVATE = "(?:conversations?|chat history|system prompt|user prompt|credentials)".replace(" ", _)
#: What comes after the name of somebody who is spoken to.
_MARKS = "[ \t*_\"')\\]]{0,4}"
_CALLED = f"(?={_MARKS}(?:[:,!]|$|\n[ \t>]{{0,8}}(?:\n|$)))"
_ITS = "(?:system|hidden|initial|original|secret|developer|full|own)"
_PROMPT = "(?:prompt|instruction)s?"
_SECRET = f"(?:system|hidden|secret|developer){_}(?:prompts?|instructions)"
_ALL = f"(?:(?:me|us|all|of|the|out|exact|full|entire|contents?|verbatim){_}){{0,5}}"
_ASIDE = "(?=[\\W_]{0,8}(?:[.!:;,\\n]|$|(?:and|then|instead|now)\\b))"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.DOTALL)


class When(Enum):
    """Where a phrase counts: anywhere, where somebody is told to do it, or where a line or a cell begins."""

    ANYWHERE = "anywhere"
    TOLD = "told"
    FIRST = "first"


class Phrase(NamedTuple):
    """A way to address a model: its name (of `needs.NEEDS`), what it does, and the pattern of its words."""

    name: str
    does: str
    pattern: str
    when: When = When.TOLD


_SET_ASIDE = "tells a model to set its instructions aside"
_ROLES = "gives a model another role"
_ADDRESS = "speaks to a model"
_SECRETS = "tells a model to keep something from people"

PHRASES = (
    Phrase(
        "instructions",
        _SET_ASIDE,
        f"(?:{_AGAINST}{_}{_FEW}|{_AROUND}{_}{_FEW}(?:{_WEAK}{_}{_FEW}){{0,2}}(?={_STRONG}))"
        f"{_EARLIER}{_}{_FEW}(?:{_EARLIER}{_}{_FEW}){{0,3}}{_ORDERS}\\b",
    ),
    Phrase(
        "those above",
        _SET_ASIDE,
        f"{_EITHER}{_}{_FEW}{_ORDERS}{_}(?:(?:that{_})?you{_}(?:were|have|had)|above|before{_}this)\\b",
    ),
    Phrase(
        "everything known",
        _SET_ASIDE,
        f"{_EITHER}{_}(?:all{_}(?:of{_})?)?(?:everything|anything|all|what){_}(?:that{_})?"
        f"you{_}(?:know|were|learned|(?:have|had){_}(?:been|read))\\b",
    ),
    Phrase(
        "everything above",
        _SET_ASIDE,
        f"{_EITHER}{_}(?:(?:everything|all|anything){_}(?:of{_})?"
        f"(?:(?:that|is|was|came|stands|said|written|the|text){_}){{0,4}}above(?:[\\W_]{{1,8}}this)?|the{_}above){_ASIDE}",
    ),
    Phrase(
        "not follow",
        _SET_ASIDE,
        f"(?:do{_}not|don{_}t|stop|refuse{_}to){_}(?:follow|obey)(?:ing)?{_}{_FEW}"
        f"(?:{_EARLIER}{_}{_FEW}){{1,3}}{_ORDERS}\\b",
    ),
    Phrase(
        "german",
        _SET_ASIDE,
        f"ignorier(?:en?|t)?{_}{_WORDS}(?:vorherig|vorig|vorhergehend|bisherig|obig|fruher|system)\\w{{0,3}}{_}"
        "(?:anweisung|prompt)\\w{0,3}",
    ),
    Phrase(
        "french",
        _SET_ASIDE,
        f"ignore[zr]?{_}{_WORDS}instructions?{_}(?:precedent|anterieur|ci{_}dessus|initial)\\w{{0,3}}",
    ),
    Phrase(
        "spanish",
        _SET_ASIDE,
        f"ignor(?:[ae]|en|ad|ar|are|ate|ando){_}{_WORDS}(?:instruc|istruzion)\\w{{0,6}}{_}(?:anterior|previ|precedent)\\w{{0,3}}",
    ),
    Phrase(
        "now",
        _ROLES,
        f"you{_}are{_}now{_}(?:in{_})?(?:(?:an?|the|my|our){_}(?:[^\\W_]{{1,20}}{_}){{0,2}})?{_ROLE}\\b",
    ),
    Phrase(
        "from now on",
        _ROLES,
        f"from{_}now{_}on{_}you{_}(?:(?:are|will|must|should|shall){_})?(?:an?{_})?"
        f"(?:(?:act|respond|answer|reply|behave|speak){_}(?:as|like|yes|no)"
        f"|obey{_}(?:me|my|us|only|every|any|all)|{_ROLE})\\b",
    ),
    Phrase(
        "pretend",
        _ROLES,
        f"pretend{_}(?:to{_}be|that{_}you{_}are|you{_}are|you{_}re){_}{_WORDS}{_ROLE}\\b",
    ),
    Phrase(
        "act as",
        _ROLES,
        f"act{_}as{_}(?:if{_}you{_}(?:are|were){_})?{_WORDS}(?:ai|language{_}model|llm|chatbot)\\b",
    ),
    Phrase(
        "new instructions",
        _ROLES,
        f"your{_}new{_}(?:instruction|prompt)s?{_}(?:is|are)\\b"
        f"|new{_}(?:system{_})?(?:instructions?|prompt)[ \t*_]{{0,4}}:",
    ),
    Phrase(
        "own prompt",
        "asks a model for its prompt",
        f"(?:(?:reveal|repeat|print|output|disclose|leak|expose|recite|dump){_}{_ALL}(?:your{_}(?:{_ITS}{_}){{0,2}}{_PROMPT}|{_SECRET})"
        f"|(?:show|display|send|share|tell|give){_}{_ALL}(?:your{_}(?:{_ITS}{_}){{1,2}}{_PROMPT}|{_SECRET}))\\b",
    ),
    Phrase(
        "not tell",
        _SECRETS,
        f"(?:do{_}not|don{_}t|never){_}tell{_}the{_}{_REVIEWER}{_}{_OPENLY}",
        When.ANYWHERE,
    ),
    Phrase(
        "not reveal",
        _SECRETS,
        f"(?:do{_}not|don{_}t|never){_}reveal{_}{_OPENLY}{_}"
        f"(?:(?:instruction|text|note|prompt|message|comment)s?{_})?to{_}(?:the{_}{_REVIEWER}|anyone|anybody)\\b",
        When.ANYWHERE,
    ),
    Phrase(
        "if you are",
        _ADDRESS,
        f"(?:if|when|since|because|as){_}you{_}(?:are|re){_}(?:an?{_}|the{_})?{_MODEL}\\b"
        f"(?={_MARKS}(?:[.,:;!?]|$|-[ \t-]|\n[ \t>]{{0,8}}(?:\n|$))"
        f"|{_}(?:reading|processing|reviewing|that|who|and|or|then|please|tasked|asked|summari[sz]ing)\\b)",
        When.ANYWHERE,
    ),
    Phrase(
        "note to",
        _ADDRESS,
        f"(?:(?:attention|note|message|notice|hint){_}(?:to|for){_}(?:(?:all|any|the|every|other){_}){{0,2}}{_MODEL}\\b{_CALLED}"
        f"|instructions?{_}(?:to|for){_}(?:(?:all|any|the|every|other){_}){{0,2}}{_MODEL}\\b(?={_MARKS}:))",
        When.FIRST,
    ),
    Phrase(
        "dear",
        _ADDRESS,
        f"(?:dear|hey|hello|hi|attention){_}(?:{_MODEL}|assistant)\\b(?={_MARKS}(?:[:,!\\n]|$))",
        When.ANYWHERE,
    ),
    Phrase(
        "carry out",
        "tells a model to carry data out",
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
_NEXT = "(?:[^\\w.!?;:,]|_){1,6}"
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
_GERUND = "(?:ignor|disregard|overrid|bypass)ing"
_STARTED = f"\\b(?:start|begin|keep|continue|consider|try|begin{_NEXT}by|start{_NEXT}by){_NEXT}$"
#: How far back that is looked for, in characters.
_BEFORE = 48


def said(folded: Folded) -> Iterator[tuple[str, int, int]]:
    """What text asks of a model, and where in the folded text: `[start, end)`. Phrases may overlap."""
    text = folded.text
    words = words_of(text)
    for phrase in PHRASES:
        if needed(words, phrase.name):
            for match in _compiled(f"{_BEGINS}(?:{phrase.pattern})").finditer(text):
                before = text[max(0, match.start() - _BEFORE) : match.start()]
                if match.end() - match.start() <= LONGEST and _counts(phrase.when, before, match[0]):
                    yield phrase.does, *match.span()


def _counts(when: When, before: str, said: str) -> bool:
    """Whether a phrase counts after what stands before it."""
    if when is When.FIRST:
        return not _compiled("[^\\W_]").search(re.split("[\n>|:]", before)[-1])
    if when is When.TOLD and _compiled(_GERUND).match(said):
        return _compiled(_STARTED).search(before) is not None
    return when is When.ANYWHERE or _is_told(before)


def _is_told(before: str) -> bool:
    """Whether somebody is told to do what comes after this, and it is not only spoken of."""
    return not _compiled(_SPOKEN_OF).search(before) or _compiled(_TOLD).search(before) is not None


def is_private(comment: Folded) -> bool:
    """Whether a comment, folded, speaks to a model."""
    return _compiled(_UNSEEN).match(comment.text) is not None
