"""The languages: one entry of the table `LANGUAGES` holds everything that depends on the language.

The command line's choices, negation, the guess of the language and the doctor's inflections are all derived from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from problex.matching.negation import Negation


@dataclass(frozen=True)
class Language:
    """How a language writes words, negates and inflects.

    `apostrophe_joins`: an apostrophe is part of a word (`don't`), else it separates two (`l'ami` is `l`, `ami`).
    `fold_accents`: whether accents are removed by default, except from the letters in `keep_accents`.
    `function_words` are frequent in every text, so that they tell the language of a text. Each string of `inflections`
    is a group of endings of the same stem, separated by blanks; it begins with a blank where the stem is a word, too.
    """

    name: str
    apostrophe_joins: bool = True
    fold_accents: bool = False
    keep_accents: str = ""
    negation: Negation | None = None
    function_words: frozenset[str] = frozenset()
    inflections: tuple[str, ...] = ()


def _words(*lines: str) -> tuple[str, ...]:
    return tuple(" ".join(lines).split())


LANGUAGES: Mapping[str, Language] = {
    "en": Language(
        "English",
        negation=Negation(
            _words(
                "not no never none nobody nothing nowhere neither nor without hardly barely scarcely cannot",
                "don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't mustn't",
                "needn't haven't hasn't hadn't ain't mightn't shan't daren't",
                "dont doesnt didnt isnt arent wasnt werent wont wouldnt cant couldnt shouldnt havent hasnt hadnt aint",
            ),
            _words("but however although though yet nevertheless except"),
        ),
        function_words=frozenset(
            _words("the of and to a in is it that was for with as this but be on not are have you at by from")
        ),
        inflections=(" s es ed ing er est", "e es ed ing er est", "y ies ied ying ier iest"),
    ),
    "es": Language(
        "Spanish",
        fold_accents=True,  # its texts and published lexicons leave accents out about as often as not
        keep_accents="ñ",
        negation=Negation(
            _words("no ni nunca jamás tampoco sin nada nadie ningún ninguno ninguna ningunos ningunas apenas"),
            _words("pero aunque sino mas excepto salvo"),
        ),
        function_words=frozenset(
            _words("el la de que y en un una los las del por con no se es lo para su al como más pero muy")
        ),
        inflections=(
            " s es",
            "o a os as",
            "ar a an ado ada ados adas ando o",
            "er ir e en ido ida idos idas iendo o",
        ),
    ),
    "fr": Language(
        "French",
        apostrophe_joins=False,
        negation=Negation(  # `ne` and `pas`: speech drops the one, and writing the other
            _words("pas jamais sans ni rien aucun aucune personne nullement guère ne non"),
            _words("mais cependant pourtant toutefois sauf quoique"),
        ),
        function_words=frozenset(
            _words("le la les de des du et un une est en que qui dans pour pas ce il elle sur au avec plus ne")
        ),
        inflections=(" s e es", "er e es ent é ée és ées ant"),
    ),
    "de": Language(
        "German",
        negation=Negation(
            _words("nicht kein keine keinen keiner keinem keines nie niemals ohne weder niemand nichts nirgends kaum"),
            _words("aber jedoch sondern doch obwohl allerdings außer"),
        ),
        function_words=frozenset(
            _words("der die das und ist ein eine nicht zu den von mit sich auf für dem im es auch als an wie")
        ),
        inflections=(" e en er es em s", "en e t te ten est end ende enden"),
    ),
    "nl": Language(
        "Dutch",
        negation=Negation(
            _words("niet geen nooit zonder noch niemand niets nergens nauwelijks"),
            _words("maar echter hoewel behalve toch"),
        ),
        function_words=frozenset(
            _words("de het een en van is dat in op te niet met voor zijn er aan die ook als maar om bij")
        ),
        inflections=(" e en er s", "en t te ten de den"),
    ),
    "it": Language(
        "Italian",
        apostrophe_joins=False,
        negation=Negation(
            _words("non né mai senza niente nulla nessun nessuno nessuna neanche nemmeno neppure"),
            _words("ma però tuttavia sebbene tranne eppure"),
        ),
        function_words=frozenset(
            _words("il la di che e un una è non in per del della con i le si da sono gli al ma anche come")
        ),
        inflections=("o a i e", "are a ato ata ati ate ando", "ere ire e ito ita iti ite endo"),
    ),
    "pt": Language(
        "Portuguese",
        negation=Negation(
            _words("não nao nem nunca jamais sem nada ninguém nenhum nenhuma tampouco"),
            _words("mas porém contudo embora exceto todavia"),
        ),
        function_words=frozenset(
            _words("o a de que e do da em um uma não os as para com por se no na mais mas como foi dos")
        ),
        inflections=(" s es", "o a os as", "ar a am ado ada ados adas ando", "er ir e em ido ida idos idas"),
    ),
    "any": Language("any other"),
}

NEGATIONS: Mapping[str, Negation] = {
    code: language.negation for code, language in LANGUAGES.items() if language.negation is not None
}
"""The negation of each language that has one."""
