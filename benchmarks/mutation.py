"""Small changes to Python source (mutants): every one that a test should notice, found in the syntax tree.

Docstrings, messages, annotations, imports, `__all__` and `__repr__` are left alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

SYMBOLS: dict[type[ast.AST], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.LShift: "<<", ast.RShift: ">>", ast.And: "and", ast.Or: "or",
}  # fmt: skip
SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "in": "not in", "not in": "in", "is": "is not", "is not": "is",
    "+": "-", "-": "+", "*": "/", "/": "*", "//": "/", "%": "*", "**": "*",
    "&": "|", "|": "&", "<<": ">>", ">>": "<<", "and": "or", "or": "and",
}  # fmt: skip
CALLS = {
    "min": "max", "max": "min", "any": "all", "all": "any", "minimum": "maximum", "maximum": "minimum",
    "argmin": "argmax", "argmax": "argmin", "floor": "ceil", "ceil": "floor", "startswith": "endswith",
    "endswith": "startswith", "lstrip": "rstrip", "rstrip": "lstrip", "log1p": "log", "expm1": "exp",
}  # fmt: skip
LITERALS = (ast.Constant, ast.JoinedStr, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp)
MESSAGES = re.compile(r"(Error|Warning|warn|pluralize|quote_all)$")
UNTOUCHED = ("__repr__", "__str__", "_repr_html_")


@dataclass(frozen=True, order=True)
class Mutant:
    """The bytes of a file from `start` to `end` become `new`; `lines` are those of the changed statement."""

    file: str
    start: int
    end: int
    new: str
    line: int
    lines: tuple[int, int]

    def apply(self, source: bytes) -> bytes:
        """The changed source."""
        return source[: self.start] + self.new.encode() + source[self.end :]

    def change(self, source: bytes) -> tuple[str, str]:
        """The line before and after the change (the first one, if it has several)."""
        before, after = (text.decode().splitlines() for text in (source, self.apply(source)))
        return before[self.line - 1].strip(), after[self.line - 1].strip()


def find_mutants(root: Path, path: Path) -> list[Mutant]:
    """Every mutant of a file that compiles, in the order of the source; the file is named relative to `root`."""
    source = path.read_bytes()
    return [mutant for mutant in find_changes(root, path) if compiles(mutant.apply(source))]


def find_changes(root: Path, path: Path) -> list[Mutant]:
    """The same with those that do not compile, which takes most of the time to find out."""
    source = path.read_bytes()
    finder = Finder(str(path.relative_to(root)), source)
    finder.visit(ast.parse(source))
    return sorted(set(finder.mutants))


def compiles(source: bytes) -> bool:
    """Whether Python accepts a source."""
    try:
        compile(source, "mutant", "exec")
    except SyntaxError:
        return False
    return True


class Finder(ast.NodeVisitor):
    """Collects the mutants of a file."""

    def __init__(self, file: str, source: bytes) -> None:
        self.file, self.source = file, source
        self.starts = [0]
        for line in source.split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.mutants: list[Mutant] = []
        self.statement: ast.stmt | None = None
        self.bound: set[str] = set()

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """The bytes of a node."""
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0),
        )

    def add(self, start: int, end: int, new: str) -> None:
        """A mutant of the current statement; of a compound one, only its first lines count."""
        assert self.statement is not None
        first, last = self.statement.lineno, self.statement.end_lineno or 0
        body = getattr(self.statement, "body", None)
        if isinstance(body, list):
            last = max(first, body[0].lineno - 1)
        line = self.source.count(b"\n", 0, start) + 1
        self.mutants.append(Mutant(self.file, start, end, new, line, (first, last)))

    def replace(self, node: ast.expr | ast.stmt, new: str) -> None:
        """A mutant with other text for a whole node."""
        self.add(*self.span(node), new)

    def text(self, node: ast.expr) -> str:
        """The source of a node."""
        start, end = self.span(node)
        return self.source[start:end].decode()

    def swap(self, operator: ast.AST, left: ast.expr, right: ast.expr) -> None:
        """A mutant with another operator between two operands."""
        symbol = SYMBOLS.get(type(operator))
        if symbol is None:
            return
        start, end = self.span(left)[1], self.span(right)[0]
        match = re.search(re.escape(symbol).replace(r"\ ", r"\s+").encode(), self.source[start:end])
        if match is not None:
            self.add(start + match.start(), start + match.end(), SWAPS[symbol])

    def visit(self, node: ast.AST) -> None:
        """Go on with a node, knowing the statement it is in."""
        outer = self.statement
        if isinstance(node, ast.stmt):
            self.statement = node
            self.delete(node)
        super().visit(node)
        self.statement = outer

    def delete(self, node: ast.stmt) -> None:
        """A mutant without the statement, where Python would still run."""
        call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        jump = isinstance(node, (ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete))
        again = False
        if isinstance(node, ast.Assign):
            names = {one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)}
            stored = not all(isinstance(target, (ast.Name, ast.Tuple)) for target in node.targets)
            again = stored or names <= self.bound
            self.bound |= names if not stored else set()
        if call or jump or again:
            self.replace(node, "pass")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name in UNTOUCHED:
            return
        arguments = {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
        outer, self.bound = self.bound, arguments
        self.every([*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body])
        self.bound = outer

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        outer, self.bound = self.bound, set()
        self.every(node.body)
        self.bound = outer

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        name = node.targets[0].id if isinstance(node.targets[0], ast.Name) else ""
        alias = name[:1].isupper() and not name.isupper()  # a type
        if name != "__all__" and not alias:
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """An exception and its message stay as they are."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """A message stays as it is."""

    def visit_Assert(self, node: ast.Assert) -> None:
        """An assertion stays as it is."""

    def visit_If(self, node: ast.If) -> None:
        if self.text(node.test) not in ("TYPE_CHECKING", '__name__ == "__main__"'):
            self.negate(node.test)
            self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self.negate(test)
        self.generic_visit(node)

    def negate(self, test: ast.expr) -> None:
        """A mutant with the opposite condition; a comparison has its own."""
        if not isinstance(test, (ast.Compare, ast.UnaryOp)):
            self.replace(test, f"(not ({self.text(test)}))")

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for operator, left, right in zip(node.ops, operands, operands[1:], strict=False):
            self.swap(operator, left, right)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in zip(node.values, node.values[1:], strict=False):
            self.swap(node.op, left, right)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        sides = (node.left, node.right)
        numbers = all(not isinstance(side, LITERALS) or _is_number(side) for side in sides)
        if numbers:  # an operator between texts or lists would only raise a TypeError
            self.swap(node.op, node.left, node.right)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if not isinstance(node.value, LITERALS) or _is_number(node.value):
            symbol = SYMBOLS.get(type(node.op))
            start, end = self.span(node.target)[1], self.span(node.value)[0]
            at = self.source[start:end].find(f"{symbol}=".encode())
            if symbol is not None and at >= 0:
                self.add(start + at, start + at + len(symbol), SWAPS[symbol])
        self.visit(node.value)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        operand = self.text(node.operand)
        if isinstance(node.op, ast.Invert) or (
            isinstance(node.op, (ast.Not, ast.USub)) and not isinstance(node.operand, ast.Constant)
        ):
            self.replace(node, f"({operand})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.replace(node, str(not node.value))
        elif isinstance(node.value, (int, float)):
            self.replace(node, repr(node.value + 1))
            if node.value not in (0, 1):
                self.replace(node, repr(node.value * 2))

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if MESSAGES.search(name):
            return
        if name in CALLS:
            end = self.span(node.func)[1]
            self.add(end - len(name), end, CALLS[name])
        if name == "range" and not isinstance(node.args[-1], ast.Constant):
            self.replace(node.args[-1], f"({self.text(node.args[-1])}) - 1")
        checks = [keyword for keyword in node.keywords if keyword.arg in ("strict", "stacklevel")]
        self.every([node.func, *node.args, *(keyword for keyword in node.keywords if keyword not in checks)])

    def visit_Slice(self, node: ast.Slice) -> None:
        for bound in (node.lower, node.upper):
            if bound is not None and not isinstance(bound, (ast.Constant, ast.UnaryOp)):
                self.replace(bound, f"({self.text(bound)}) + 1")
        self.generic_visit(node)

    def every(self, nodes: Sequence[ast.AST]) -> None:
        """Visit some nodes."""
        for node in nodes:
            self.visit(node)


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))


def modules(root: Path, package: str) -> Iterator[Path]:
    """The modules of a package."""
    yield from (path for path in sorted((root / package).rglob("*.py")) if path.name != "__init__.py")
