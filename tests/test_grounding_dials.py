from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import pytest
from tables import corpus

from spectastic.grounding.decision_engine import ground, resolve_dial
from spectastic.grounding.dials import LABELS, Setting, setting
from spectastic.grounding.markdown import grounding

if TYPE_CHECKING:
    from pathlib import Path

MOVES = """\
Move,Keywords,Intensity Tier
Fade,fade saas,Subtle
Slide,slide saas,Standard
Swirl,swirl saas,Complex
Blink,fade saas saas,Subtle
"""


def moving(folder: Path, **changes: Any) -> dict[str, Any]:
    made = corpus(folder, {"gsap.csv": MOVES})
    columns = {"search_cols": ["Keywords"], "output_cols": ["Move", "Intensity Tier"]}
    made["domains"]["gsap"] = {"file": "gsap.csv", **columns, **changes}
    return made


RESOLVED: list[tuple[object, int | None, int]] = [
    (None, None, 0),
    (math.nan, None, 0),
    (1, 1, 0),
    (3, 3, 0),
    (3.99, 3, 0),
    (4, 4, 1),
    (7.9, 7, 1),
    (8, 8, 2),
    (10, 10, 2),
    (0, 1, 0),
    (-5, 1, 0),
    (99, 10, 2),
    (math.inf, 10, 2),
    (-math.inf, 1, 0),
]


@pytest.mark.parametrize(("given", "value", "tier"), RESOLVED)
@pytest.mark.parametrize("name", list(LABELS))
def test_values(name: str, given: object, value: int | None, tier: int) -> None:
    found = resolve_dial(name, given)
    if value is None:
        assert found is None
    else:
        assert found == (value, tier, LABELS[name][tier])


@pytest.mark.parametrize("given", ["5", True, [5]])
def test_what_is_no_number(given: object) -> None:
    with pytest.raises(ValueError, match="the dial motion must be a number from 1 to 10"):
        resolve_dial("motion", given)
    assert resolve_dial("taste", given) is None


def test_unset() -> None:
    assert setting(None) is setting({}) is setting({"motion": None, "taste": 5}) is None
    assert Setting().spacing is None
    assert list(Setting().styles) == []


@pytest.mark.parametrize("dials", [None, {}, {"variance": None, "motion": math.nan, "density": None}])
def test_without_dials_nothing_changes(tmp_path: Path, dials: dict[str, object] | None) -> None:
    made = moving(tmp_path)
    plain = ground(made, "saas dark")
    assert json.dumps(ground(made, "saas dark", None, dials)) == json.dumps(plain)
    assert not {"dials", "motion", "spacing_scale"} & plain.keys()


@pytest.mark.parametrize("value", [1, 5, 9])
def test_variance_changes_the_choice_and_never_the_rows(tmp_path: Path, value: int) -> None:
    made = moving(tmp_path)
    plain = ground(made, "saas")
    found = ground(made, "saas", dials={"variance": value})
    own, turned = plain["selections"]["style"], found["selections"]["style"]
    names = [row["Style"] for row in (turned["best"], *turned["alternatives"])]
    assert sorted(map(str, names)) == ["Brutalism", "Glassmorphism", "Minimalism"]
    assert own["best"]["Style"] == "Glassmorphism"
    assert turned["confidence"] == own["confidence"]
    told = [gap for gap in found["evidence_gap"] if "variance" in gap]
    if value == 5:
        # No row speaks of what is modern: the rule's own pick stays, and there is nothing to tell.
        assert names[0] == "Glassmorphism"
        assert told == []
    else:
        label, pick = (
            ("Centered / Minimal", "Minimalism") if value == 1 else ("Bold / Asymmetric", "Brutalism")
        )
        assert names[0] == pick
        change = f"The dial variance ({value}, {label}) changed the pick of domain 'style' to '{pick}'"
        assert told == [f"{change}; the rule's own pick is 'Glassmorphism'."]
    assert found["dials"] == {
        "variance": value,
        "variance_label": LABELS["variance"][{1: 0, 5: 1, 9: 2}[value]],
        "motion": None,
        "motion_label": None,
        "density": None,
        "density_label": None,
    }
    assert "motion" not in found
    assert "spacing_scale" not in found


def test_variance_names_a_row_without_name_column(tmp_path: Path) -> None:
    made = moving(tmp_path)
    made["reasoning"]["name_columns"] = None
    found = ground(made, "saas", dials={"variance": 9})
    assert found["selections"]["style"]["best"]["Style"] == "Brutalism"
    assert "to 'Brutalism'; the rule's own pick is 'Minimalism'" in " ".join(found["evidence_gap"])


def test_a_row_with_a_blank_name_is_called_by_its_first_cell_that_says_something(tmp_path: Path) -> None:
    made = moving(tmp_path)
    rows = "Style,Keywords,Notes\n , brutalism ,for saas\n\t,\u00a0,glassmorphism for saas\n"
    (tmp_path / "styles.csv").write_text(rows, "utf-8")
    gaps = ground(made, "saas", dials={"variance": 9})["evidence_gap"]
    assert "to 'brutalism'; the rule's own pick is 'glassmorphism for saas'." in " ".join(gaps)


def test_variance_with_nothing_to_choose_from(tmp_path: Path) -> None:
    made = moving(tmp_path)
    made["reasoning"]["priority_domain"] = None
    gap = "The dial variance has nothing to choose from: no planned domain has priorities."
    assert gap in ground(made, "saas", dials={"variance": 9})["evidence_gap"]
    made["reasoning"]["priority_domain"] = "style"
    assert gap not in ground(made, "saas", dials={"variance": 9})["evidence_gap"]
    (tmp_path / "styles.csv").write_text("Style,Keywords,Notes\n")
    assert ground(made, "saas", dials={"variance": 9})["selections"]["style"]["best"] == {}


def test_motion_filters_before_it_ranks(tmp_path: Path) -> None:
    made = moving(tmp_path, max_results=1)
    found = ground(made, "saas", dials={"motion": 2})
    # Two rows of the tier. "Blink" has the word twice.
    assert found["motion"]["tier"] == "Subtle"
    assert found["motion"]["best"] == {"Move": "Blink", "Intensity Tier": "Subtle"}
    assert found["motion"]["alternatives"] == []
    assert list(found)[-2:] == ["dials", "motion"]
    assert found["selections"] == ground(made, "saas")["selections"]
    assert ground(made, "saas", dials={"motion": 10})["motion"]["best"]["Move"] == "Swirl"


def test_motion_without_rows(tmp_path: Path) -> None:
    made = moving(tmp_path)
    (tmp_path / "gsap.csv").write_text(MOVES.replace("Complex", "Standard"))
    found = ground(made, "saas", dials={"motion": 10})
    assert "motion" not in found
    assert found["evidence_gap"][-1] == (
        "The dial motion (Complex) has no rows."
        " No match in domain 'gsap': the filters leave none of its 4 rows."
    )
    del made["domains"]["gsap"]
    found = ground(made, "saas", dials={"motion": 10})
    assert "motion" not in found
    assert (
        found["evidence_gap"][-1]
        == "The dial motion (Complex) has no rows: the manifest has no domain 'gsap'."
    )
    assert found["dials"]["motion_label"] == "Complex"


SPACING = [
    (1, "4px 8px 24px 32px 48px 64px 96px"),
    (7, "4px 8px 16px 24px 32px 48px 64px"),
    (8, "2px 4px 8px 12px 16px 24px 32px"),
]


@pytest.mark.parametrize(("value", "sizes"), SPACING)
def test_density_sets_the_spacing(tmp_path: Path, value: int, sizes: str) -> None:
    found = ground(moving(tmp_path), "saas", dials={"density": value})
    assert list(found["spacing_scale"]) == ["xs", "sm", "md", "lg", "xl", "2xl", "3xl"]
    assert " ".join(found["spacing_scale"].values()) == sizes


def test_dials_as_text(tmp_path: Path) -> None:
    dials = {"variance": 9, "motion": 5, "density": 2}
    text = list(grounding(ground(moving(tmp_path), "saas", dials=dials)))
    assert "- **Variance:** 9 (Bold / Asymmetric)" in text
    assert "- **Motion:** 5 (Standard)" in text
    assert "- **Density:** 2 (Spacious)" in text
    assert "- **Spacing scale:** xs 4px, sm 8px, md 24px, lg 32px, xl 48px, 2xl 64px, 3xl 96px" in text
    at = text.index("### motion (Standard)")
    assert text[at + 2 : at + 4] == ["- **Move:** Slide", "- **Intensity Tier:** Standard"]
    plain = list(grounding(ground(moving(tmp_path), "saas")))
    added = list(grounding(ground(moving(tmp_path), "saas", dials={"density": 2})))
    at = added.index("### Dials")
    assert added[: at - 1] + added[at + 4 :] == plain
    only = list(grounding(ground(moving(tmp_path), "saas", dials={"motion": 5})))
    assert not [line for line in only if "Variance" in line or "Spacing" in line]
    assert "### Dials" not in list(grounding(ground(moving(tmp_path), "saas")))
