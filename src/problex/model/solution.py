"""What an estimate has found besides the weights: how it converged, what negation does, what depends on the balance."""

from __future__ import annotations

from dataclasses import dataclass

from problex._util.formatting import format_percent, quote_all


@dataclass(frozen=True)
class Reversal:
    """How far negation turns the words of each of two lists round, and how well that is known, from 0 to 1.

    A turn of 1 is wholly; at 0 a negated word says nothing; at -1 negation changes nothing.
    """

    turns: tuple[float, float]
    known: tuple[float, float] = (1.0, 1.0)


@dataclass(frozen=True)
class BalanceShift:
    """The list whose share of the texts depends most on the balance: that with the model's balance and with the other.

    `words` are those of its words that occur in most of the texts that make the difference.
    """

    label: str
    words: tuple[str, ...]
    balance: str
    share: float
    other_balance: str
    other_share: float

    def describe(
        self,
        compare: str = "compare with problex fit --balance {balance}",
        label: str = "label 40 texts (problex audit sample)",
    ) -> str:
        """What depends on the balance, and how to settle it: two ways, in the words of whoever shows the sentence."""
        return (
            f"By the model, without labels, {format_percent(self.share)} of the texts are {self.label}, but "
            f"{format_percent(self.other_share)} with the balance {self.other_balance!r} of the lists in place of "
            f"{self.balance!r}: {quote_all(self.words)} {'decides' if len(self.words) == 1 else 'decide'}. Which is "
            f"right cannot be known without labels: {compare.format(balance=self.other_balance)}, or {label}"
        )


@dataclass(frozen=True)
class Solution:
    """How the predictiveness was found; None for what the way to it has not.

    A solver has `iterations`, the `objective` and the last `residuals` (primal, dual). Shrinkage by the data has its
    strength kappa (`shrinkage`), `spread`, `dispersion` and `own_evidence`, the share of the weights that comes from
    the entries themselves: near 0 is near counting. `fallback` is whether nothing could be learned, so that all weights
    are equal.
    """

    converged: bool = True
    iterations: int | None = None
    objective: float | None = None
    residuals: tuple[float, float] | None = None
    shrinkage: float | None = None
    spread: float | None = None
    dispersion: float | None = None
    own_evidence: float | None = None
    fallback: bool | None = None
    balance_shift: BalanceShift | None = None
