"""Policies count in integers and never ask in which order a set comes, so that all choose alike."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import howff.bots.policies
from howff.bots.policies.catalogue import PLAYS
from howff.engine.catalogue import GAMES

FOLDERS = tuple(map(Path, howff.bots.policies.__path__))
MODULES = sorted(path for folder in FOLDERS for path in folder.rglob("*.py"))
INTEGERS = {"isqrt", "comb", "perm", "gcd", "lcm", "prod", "factorial"}
"""What `math` counts exactly."""
UNORDERED = {"set", "frozenset"}
FORBIDDEN = {"float", "complex", "hash", "id", "fmean", "Decimal", "Fraction"}
FOREIGN = {"random", "statistics", "decimal", "fractions", "cmath", "time", "secrets", "os"}
IN_ORDER = {
    "tuple",
    "list",
    "enumerate",
    "zip",
    "map",
    "filter",
    "iter",
    "next",
    "reversed",
    "max",
    "min",
}
"""What tells, or may tell, in which order a set comes."""


def faults(tree: ast.AST) -> Iterator[str]:
    """Yield what in *tree* may choose otherwise on another platform, or in another process."""
    for node in ast.walk(tree):
        fault = fraction_in(node) or foreign_in(node) or order_in(node)
        if fault:
            yield f"line {getattr(node, 'lineno', '?')}: {fault}"


def fraction_in(node: ast.AST) -> str | None:
    match node:
        case ast.Constant(value=float() | complex() as value):
            return f"the fraction {value}"
        case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
            return "a division that rounds"
        case ast.Name(id=name) if name in FORBIDDEN:
            return name
        case _:
            return None


def foreign_in(node: ast.AST) -> str | None:
    match node:
        case ast.Import(names=names) if {each.name for each in names} & {"math", *FOREIGN}:
            return f"an import of {names[0].name}"
        case ast.ImportFrom(module="math", names=names):
            return None if {each.name for each in names} <= INTEGERS else "what math rounds"
        case ast.ImportFrom(module=module) if module in FOREIGN:
            return f"an import from {module}"
        case _:
            return None


def order_in(node: ast.AST) -> str | None:
    match node:
        case ast.For(iter=each) | ast.comprehension(iter=each) | ast.Starred(value=each):
            return "the order of a set" if is_set(each) else None
        case ast.Call(func=ast.Name(id=name), args=[*args]) if name in IN_ORDER:
            return f"the order of a set, by {name}" if any(map(is_set, args)) else None
        case _:
            return None


def is_set(node: ast.expr) -> bool:
    """Return whether an expression is a set by its form."""
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in UNORDERED
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in {"union", "intersection", "difference", "symmetric_difference"}
        case ast.BinOp(left=left, right=right, op=ast.BitOr() | ast.BitAnd() | ast.Sub()):
            return is_set(left) or is_set(right)
        case _:
            return False


@pytest.mark.parametrize("module", MODULES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_policy_counts_in_integers_and_in_order(module: Path) -> None:
    assert list(faults(ast.parse(module.read_text()))) == []


@pytest.mark.parametrize(
    "code",
    [
        "x = 0.5",
        "x = a / b",
        "x /= 2",
        "x = float(a)",
        "x = hash(a)",
        "import math",
        "import random",
        "from math import sqrt",
        "from math import isqrt, log",
        "from statistics import mean",
        "for x in {1, 2}: pass",
        "for x in set(a) - b: pass",
        "x = [y for y in frozenset(a)]",
        "x = tuple({y for y in a})",
        "x = max(set(a))",
        "x = (*set(a), 1)",
        "x = [y for y in a.union(b)]",
    ],
)
def test_what_is_not_is_found(code: str) -> None:
    assert len(list(faults(ast.parse(code)))) >= 1


@pytest.mark.parametrize(
    "code",
    [
        "from math import isqrt",
        "x = a // b + isqrt(a) >> 2",
        "x = a in {1, 2}",
        "x = sorted(set(a))",
        "x = len(set(a) | b)",
        "for x in (1, 2): pass",
    ],
)
def test_what_is_exact_is_let_alone(code: str) -> None:
    assert list(faults(ast.parse(code))) == []


def test_all_of_them_are_looked_at() -> None:
    names = {path.stem for path in MODULES}

    assert {"greedy", "mcts", "luck", "payoff", "settings", "memories"} <= names
    assert PLAYS.keys() == GAMES.keys()
    for key in GAMES:
        module = importlib.import_module(f"howff.bots.policies.games.{key}")
        assert Path(str(module.__file__)) in MODULES
