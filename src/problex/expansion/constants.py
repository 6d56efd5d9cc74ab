"""The tuned numbers of the expansion, in one place.

Each says its unit, what it was set on, and what its half and its double change: the mean change of the AUC on two lists
of tone, or of the accuracy on lists of topics, where it was measured. Amounts are for scores of standard deviation one.
`proof/accuracy/tuned_numbers.py` measures them again, and docs/accuracy.md has its table.

"Films and goods" are the paper's four corpora, and parts, cuts and mixtures of them (22 cases of two lists); "topics"
are four to seven lists on Amazon's kinds of goods, BBC News, AG News and 20 Newsgroups.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Constants:
    """The numbers that learning from all words depends on; no label was used to learn, only to choose these."""

    # Is there enough to learn from?
    min_documents: int = 20
    """Texts. Set by hand: with fewer there are no folds to speak of."""
    min_standard_errors: float = 3.0
    """Standard errors of the agreement of other words with the lexicon. By hand: noise passes in one of 700 corpora."""

    # Topics or tone?
    topic_threshold: float = 0.37
    """Spreads of repetition plus cosines. Of 101 pairs of lists those of topics had .47 at least, those of tone .27 at
    most where contexts differ: spam, whose contexts do and whose words do not repeat."""
    context_weight: float = 2.0
    """Spreads of repetition per cosine. Set on the same 101 pairs."""
    min_context_difference: float = 0.04
    """A cosine. Those of topics had .056 at least; words of tone in tweets repeat, but their contexts are the same."""
    min_remaining: float = 0.4
    """The share of the agreement with the lexicon that must remain without themes, or these are what the lists are
    about, and the lists are topics. Lists of tone kept .62 to 1 on 49 corpora."""
    min_context_documents: int = 5
    """Texts that an entry needs for its repetition and its context. By hand."""
    max_context_entries: int = 100
    """Entries of a list whose contexts are compared: the most frequent. By hand, for time."""

    # Words that repeat themselves, themes, ridge regression
    min_entry_documents: int = 10
    """Texts that an entry needs to be discounted for its repetitions. Films and goods."""
    min_feature_documents: int = 5
    """The same for a word or pair outside the lexicon. Films and goods."""
    themes: int = 5
    """Directions. Films and goods: 3 cost .011 on the paper's corpora, 10 cost .006 there and .008 elsewhere."""
    theme_part: float = 0.7
    """The weight of the themes that words vote for in a target. Films and goods: half costs .002 to .006; one gains
    .003 on tweets and costs .004 on uneven corpora."""
    min_voter_documents: int = 3
    """Texts that an entry needs to vote on themes. By hand."""
    ridge: float = 2.5
    """The penalty for rows of length one: the variance of the noise over that of the weights. Films and goods: half
    costs .002 to .004; the double gains .002 on tone and costs .004 on topics of unseen texts."""

    # Co-training of the entries
    view_folds: int = 4
    """Folds of the scores by other words. By hand, for time."""
    min_slope: float = 0.02
    """The least mean strength of a list, in spreads of those scores. By hand: a contradicted list keeps its side."""
    lexicon_in_entries: float = 0.5
    """The amount of the lexicon model's own log-odds beside the co-trained ones. Films and goods: the double costs .001
    to .002, none costs .007 on tweets of one corpus and gains .003 on the paper's."""

    # The share of the second of two labels
    anchor_splits: int = 6
    """Random halves of the lexicon. By hand."""
    anchor_tail: float = 0.05
    """The share of the texts at each anchor. 60 subsamples of films and goods. Without anchors accuracy loses .005."""
    min_anchor_reliability: float = 0.4
    """The split-half reliability of the lexicon from which anchors are trusted. The same subsamples."""
    anchor_prior: float = 0.5
    """The weight of the lexicon's share beside the anchors', in log-odds. The same subsamples."""
    max_share_log_odds: float = 3.0
    """Log-odds: shares are limited to 5 % and 95 %. By hand."""

    # Tone: two rounds of regression, the lexicon, naive Bayes
    sharpness: float = 2.0
    """The slope of the targets of the second round, per spread of the scores. Films and goods."""
    noise_share: float = 0.255
    """The amount of the co-trained lexicon per noise over signal of the other words. Films and goods: half gains
    .001 there and costs .002 on short texts; the double costs .002."""
    least_lexicon: float = 0.5
    """Its least amount. Films and goods."""
    most_lexicon: float = 4.5
    """Its largest amount. Films and goods."""
    plain_lexicon: float = 0.25
    """The amount of the lexicon as it was estimated. The double costs .001 on reviews; none costs
    .002 on short texts."""
    weak_agreement: float = 0.2
    """The agreement of other words with the lexicon at which half of them is trusted. Short texts."""
    distrusted_lexicon: float = 1.5
    """The further amount of the lexicon without any agreement, by the cube of the distrust. Without it, sentences of
    nine tenths one label lose .01 on unseen texts."""
    bayes: float = 0.8
    """The largest amount of naive Bayes. Tweets and short texts: without it .003 to .006 is lost; half costs .001."""
    half_bayes_documents: float = 1500.0
    """Texts with which naive Bayes has half of that. Films and goods."""
    bayes_sharpness: float = 3.0
    """The log-odds of a soft label for a score one spread above the threshold. Films and goods."""

    # Topics: naive Bayes in rounds, regression, the lexicon
    topic_folds: int = 4
    """Folds of naive Bayes. By hand, for time."""
    lexicon_in_rounds: tuple[float, ...] = (1.0, 1.0, 0.3, 0.3)
    """The amount of the lexicon in the labels of each round: once naive Bayes has learned from all texts it knows more.
    Topics. Two rounds gain .003 where all topics are present, and cost up to .03 where one is absent."""
    first_sharpness: float = 2.0
    """The log-odds of the first labels per spread of the lexicon's scores. Topics."""
    topic_sharpness: float = 3.0
    """The same for the labels of later rounds, and for the support of a list. Topics."""
    prior_tokens: float = 1000.0
    """Tokens: the weight of the base rates in the rates of each label. Topics: half costs .008; the double gains .006
    on the texts learned from, and with fewer guards cost .025 on others."""
    ridge_part: float = 0.7
    """The amount of ridge regression beside naive Bayes. Topics: none gains .004, and costs .006 with one absent."""
    lexicon_part: float = 0.15
    """The amount of the lexicon beside naive Bayes. Topics: none costs .011 on unseen texts."""
    min_share: float = 0.001
    """The least share of a label. By hand."""
    share_power: float = 0.6
    """The power of the labels' shares as priors. Topics: none gains .009, and costs .027 where one is absent."""
    temperature: float = 1.25
    """What log-odds are multiplied by, for words of the lists count, too. Topics: probabilities, no labels."""
    min_support: float = 0.4
    """The mean probability below which a list is reported: absent topics had .13 to .34, others .53 to .88."""

    # Probabilities and suggestions
    half_length: float = 3.0
    """Tokens with which a score is half of its log-odds: all words say more per token than those of the lists."""
    steepness: float = 2.0
    """The power of the length in this: rows have length one, so those of one or two words overstate what they say."""
    min_suggestion_documents: int = 5
    """Texts that a suggested word needs. By hand."""
    suggestion_documents: int = 500
    """A suggested word must occur in at least one of this many texts. By hand."""


TUNED = Constants()
