"""Rule files: what they set, and what is wrong with them in one line."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from anchormine.errors import UsageError
from anchormine.filters import rule_file
from anchormine.filters.rule_file import read_rule_file, rule_set
from anchormine.filters.rule_set import BUILT_IN, RuleSet
from anchormine.filters.rule_words import doubts


def write(folder: Path, text: str) -> str:
    path = folder / "mine.toml"
    path.write_text(text)
    return str(path)


def test_the_example_of_the_module_says_what_holds_anyway(tmp_path: Path) -> None:
    example = (rule_file.__doc__ or "").partition("\n\n")[2]
    every = ("header_footer", "same_site", "cleaning", "keywords", "length", "nofollow", "robots")
    assert read_rule_file(write(tmp_path, example)) == replace(
        BUILT_IN["anchor-dr"], name="mine", rules=every
    )


def test_an_empty_file_is_anchor_dr(tmp_path: Path) -> None:
    assert read_rule_file(write(tmp_path, "")) == replace(BUILT_IN["anchor-dr"], name="mine")


def test_everything_can_be_set(tmp_path: Path) -> None:
    (tmp_path / "more.txt").write_text("# ours\nPrint this\n\nNach oben\n")
    found = read_rule_file(
        write(
            tmp_path,
            """
            base = "wikipedia"
            rules = ["robots", "nofollow", "length", "keywords", "cleaning", "same_site", "header_footer"]
            header_footer.regions = ["footer"]
            same_site.scope = "host"
            cleaning.profile = "code"
            keywords = {lists = "none", file = "more.txt"}
            length = {max_words = 8, unspaced = false}
            nofollow.rel = ["UGC"]
            robots.directives = [" NoAI"]
            """,
        )
    )
    assert found == RuleSet(
        "mine",
        ("robots", "nofollow", "length", "keywords", "cleaning", "same_site", "header_footer"),
        ("footer",),
        "host",
        "code",
        "none",
        {"": frozenset(["printthis", "nachoben"])},
        8,
        False,
        ("ugc",),
        ("noai",),
    )
    assert found.to_json() == {
        "robots": {"directives": ["noai"]},
        "nofollow": {"rel": ["ugc"]},
        "length": {"max_words": 8, "unspaced": False},
        "keywords": {"lists": "none", "own": {"": ["nachoben", "printthis"]}},
        "cleaning": {"profile": "code"},
        "same_site": {"scope": "host"},
        "header_footer": {"regions": ["footer"]},
    }


def test_rules_from_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=('rules = ["length"]',))
    writer.start()
    assert rule_set(str(pipe)).rules == ("length",)
    writer.join()


def test_a_rule_that_is_off(tmp_path: Path) -> None:
    found = read_rule_file(write(tmp_path, '[same_site]\nscope = "off"'))
    assert found == replace(BUILT_IN["anchor-dr"].with_same_site("off"), name="mine")
    assert "same_site" not in found.rules


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('rules = ["lenght"]', "'lenght' is no rule; did you mean length?"),
        ('rules = "length"', "rules: must be a list of strings, not 'length'"),
        ("rules = [1]", "rules: must be a list of strings, not [1]"),
        ('rules = ["length", 1]', "rules: must be a list of strings, not ['length', 1]"),
        ('rules = ["length", "length"]', "rules: length is there twice; name each rule once"),
        ('ruls = ["length"]', "'ruls' is no key; did you mean rules?"),
        ('base = "anchordr"', "base: 'anchordr' is none of anchor-dr, anchor-dr-code, wikipedia, none"),
        ("[length]\nmax_word = 3", "'max_word' is no setting of [length]; did you mean max_words?"),
        ("[length]\nmax_words = true", "[length] max_words: must be a whole number, not true"),
        ("[length]\nmax_words = 0", "max_words 0: give 1 or more"),
        ('[same_site]\nscope = "page"', "same_site: 'page' is none of domain, host, code, off"),
        ('[cleaning]\nprofile = "codes"', "cleaning: 'codes' is none of ours, code"),
        ("[header_footer]\nregions = []", "[header_footer] regions: names nothing, so the rule"),
        (
            'rules = ["nofollow"]\nnofollow.rel = ["ugc", "no follow"]',
            "[nofollow] rel: 'no follow' is not one word; write each as a string of its own",
        ),
        ('rules = ["robots"]\nrobots.directives = [" "]', "[robots] directives: '' is not one word"),
        (
            'rules = ["nofollow"]\nnofollow.rel = ["nofollow,ugc"]',
            "[nofollow] rel: 'nofollow,ugc' is not one word; write each as a string of its own",
        ),
        (
            'rules = ["robots"]\nrobots.directives = ["noai", "noindx"]',
            "'noindx' is no directive of [robots]; did you mean noindex?",
        ),
        (
            'rules = ["robots"]\nrobots.directives = ["unavailable_after:2027"]',
            "'unavailable_after:2027' is no directive of [robots]; did you mean unavailable_after?",
        ),
        (
            'rules = ["robots"]\nrobots.directives = ["max-snippet:0", "max-image-preview"]',
            "'max-image-preview' stands on pages with a value; write both, as in 'max-snippet:0' and ",
        ),
        (
            'rules = ["robots"]\nrobots.directives = ["*"]',
            "'*' is no directive of [robots]; one of noindex, nofollow, none, noai, all, index, follow, ",
        ),
        ("max_words = 3", "'max_words' is a setting of a rule; write it below [length]"),
        ('file = "a.tsv"\nlists = "none"', "'lists' is a setting of a rule; write it below [keywords]"),
        ('file = "a.tsv"', "'file' is a setting of a rule; write it below [keywords]"),
        ("length = 3", "length: is a table; write [length], and its settings below"),
        (
            '[nofollow]\nrel = ["ugc"]',
            "[nofollow]: is not among the rules ['header_footer', 'same_site', 'cleaning', 'keywords', "
            "'length']; name it there, or leave this out",
        ),
        ('[keywords]\nfile = "none.txt"', "{folder}/none.txt: cannot be read (No such file or directory)"),
        ("rules = [", "not TOML: "),
        (f"[length]\nmax_words = {'1' * 5000}", "not TOML: Exceeds the limit (4300 "),
    ],
)  # fmt: skip
def test_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(UsageError) as raised:
        rule_set(path)
    assert str(raised.value).startswith(f"{path}: {message.format(folder=tmp_path)}")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", []),
        ('rules = ["nofollow"]\nnofollow.rel = ["tag", "external", "friend"]', []),
        ('rules = ["robots"]\nrobots.directives = ["none", "max-snippet:0", "unavailable_after"]', []),
        (
            'rules = ["nofollow"]\nnofollow.rel = ["ugc", "nofollw"]',
            ["[nofollow] rel: 'nofollw' drops only links that are marked just so; did you mean nofollow?"],
        ),
        (
            'rules = ["robots"]\nrobots.directives = ["noindex", "noexperiment"]',
            [
                "[robots] directives: 'noexperiment' is none that is known, and drops only links of pages "
                "that say it"
            ],
        ),
    ],
)
def test_words_that_may_be_meant(tmp_path: Path, text: str, told: list[str]) -> None:
    """Pages may have any, so they are taken, and told."""
    assert doubts(rule_set(write(tmp_path, text))) == told


def test_a_file_as_editors_save_it(tmp_path: Path) -> None:
    path, text = tmp_path / "mine.toml", '# für uns\nbase = "wikipedia"\n'
    path.write_text(text, encoding="utf-8-sig", newline="\r\n")
    assert rule_set(str(path)) == replace(BUILT_IN["wikipedia"], name="mine")
    for encoding, message in (("latin-1", "not UTF-8 at byte 3"), ("utf-16", "is UTF-16")):
        path.write_text(text, encoding=encoding)
        with pytest.raises(UsageError) as raised:
            rule_set(str(path))
        assert str(raised.value) == f"{path}: {message}; save it as UTF-8"


def test_no_such_rules(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match="no such set, and no such file; give a TOML file or one of anchor-dr"
    ):
        rule_set("anchordr")
    with pytest.raises(UsageError, match="cannot be read"):
        rule_set(str(tmp_path / "none.toml"))
    assert rule_set("none") is BUILT_IN["none"]


def test_keywords_are_cleaned_as_the_texts_before_them(tmp_path: Path) -> None:
    (tmp_path / "more.txt").write_text('"Quoted"\na.b*\ndon\'t\n2004\n')
    found = {
        rules: read_rule_file(write(tmp_path, f"rules = {rules}\n{more}\nkeywords.file = 'more.txt'"))
        for rules, more in (
            ('["cleaning", "keywords"]', ""),
            ('["cleaning", "length", "keywords"]', "cleaning.profile = 'code'"),
            ('["keywords", "cleaning"]', ""),
            ('["keywords"]', ""),
        )
    }
    assert [rules.own_keywords for rules in found.values()] == [
        {"": {"quoted", "a.b", "don't"}},
        {"": {"quoted", "ab", "dont"}},
        {"": {'"quoted"', "a.b*", "don't", "2004"}},
        {"": {'"quoted"', "a.b*", "don't", "2004"}},
    ]
