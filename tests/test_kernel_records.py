"""A record does not keep the array alive that it was taken from, in compiled code.

`scratch = np.zeros(1, POSITION)[0]` gives the array's memory back before `scratch` is used for the first time. Whatever takes that memory
then is overwritten, for example what another thread loads. So a kernel gets the records that it writes to from its caller.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "gtp_engine"
MAKERS = {"zeros", "empty", "ones", "full", "zeros_like", "empty_like"}
NUMBERS = ("int", "uint", "float", "bool")  # how the names of numpy's types of numbers begin


def kernels(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    """The compiled functions of a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and {"entry", "inner"} & {
            each.id for each in node.decorator_list if isinstance(each, ast.Name)
        }:
            yield node


def makes_records(node: ast.AST) -> bool:
    """Is this a call that makes an array, unless its type is one of numpy's numbers?"""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MAKERS):
        return False
    types = [each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute) and each is not node.func]
    return not any(name.startswith(NUMBERS) for name in types)


def records_of_own_arrays(function: ast.FunctionDef) -> list[int]:
    """The lines where the function takes an element of an array of records that it made itself."""
    made: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            targets, values = [node.targets[0]], [node.value]
            if isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
                targets, values = list(node.targets[0].elts), list(node.value.elts)
            made |= {
                target.id for target, value in zip(targets, values, strict=True) if isinstance(target, ast.Name) and makes_records(value)
            }
    return [
        node.lineno
        for node in ast.walk(function)
        if isinstance(node, ast.Subscript) and (makes_records(node.value) or (isinstance(node.value, ast.Name) and node.value.id in made))
    ]


def test_no_kernel_takes_a_record_out_of_an_array_of_its_own() -> None:
    paths = [*PACKAGE.rglob("*.py"), *Path(__file__).parent.glob("kernels*.py")]
    found = {
        f"{path.name}:{line}"
        for path in paths
        for function in kernels(ast.parse(path.read_text()))
        for line in records_of_own_arrays(function)
    }
    assert not found


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("scratch = np.zeros(1, POSITION)[0]", 1),
        ("a, scratch = 1, np.empty_like(positions)[0]", 1),
        ("scratches = np.zeros(1, POSITION)\n    scratch = scratches[0]", 1),
        ("distances = np.empty(POINTS, np.int64)\n    distances[0] = 1", 0),
        ("scratch = scratches[0]", 0),
    ],
)
def test_such_a_record_is_noticed(body: str, count: int) -> None:
    (function,) = kernels(ast.parse(f"@entry\ndef kernel(positions, scratches):\n    {body}\n"))
    assert len(records_of_own_arrays(function)) == count
