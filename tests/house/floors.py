"""The four floors of the tree, and what the code of each may import."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Floor by floor from the top: packages that it must not import. What a floor may, those above it may too.
FORBIDDEN = {
    "pipelines": (),
    "transforms": ("anchormine.pipelines",),
    "anchormine": ("anchormine.pipelines", "anchormine.transforms", "apache_beam"),
    "schemas": ("anchormine", "apache_beam"),
}
# The lowest floor has the standard library and this.
_OF_SCHEMAS = ("pyarrow", "anchormine.schemas")
# Names that do not exist in the wheel, though they would be found in a checkout.
_BARE = ("pipelines", "transforms", "schemas", "tests", "examples")

_DOOR = ROOT / "anchormine" / "__main__.py"


def modules(floor: str) -> list[Path]:
    """The Python files of a floor; the links in anchormine/ belong to the others, and its door to the top."""
    return sorted(
        path
        for path in (ROOT / floor).rglob("*.py")
        if path != _DOOR
        and not any(parent.is_symlink() for parent in path.parents if parent.is_relative_to(ROOT))
    )


def imported(source: str) -> Iterator[str]:
    """Yields what a module imports, wherever in it, as dotted names."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)


def violations(floor: str, source: str) -> list[str]:
    """The names that a module of a floor imports against the rules, sorted."""
    return sorted({name for name in imported(source) if not _is_allowed(floor, name)})


def _is_allowed(floor: str, name: str) -> bool:
    if _within(name, _BARE) or name.startswith("."):
        return False
    if floor == "schemas":
        return _within(name, _OF_SCHEMAS) or name.partition(".")[0] in sys.stdlib_module_names
    return not _within(name, FORBIDDEN[floor])


def _within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)
