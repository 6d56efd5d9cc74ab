"""The languages: one entry of the table `LANGUAGES` holds everything that depends on the language.

The command line's choices, negation, the guess of the language and the doctor's inflections are all derived from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from problex.lexicon.lexicon import TURKIC_CASE
from problex.matching.negation import Negation


@dataclass(frozen=True)
class LanguageRules:
    """How a language writes words, negates and inflects.

    `apostrophe_joins`: an apostrophe is part of a word (`don't`), else it separates two (`l'ami` is `l`, `ami`).
    `fold_accents`: whether accents are removed by default, except from the letters in `keep_accents`.
    `letters` are replaced before a text is cut into words, `folded_letters` only where accents are removed.
    `segmented`: there are no spaces between words. `script`: letters that tell the language. `infinitives`: the
    endings of verbs in a dictionary, for languages whose words take many endings, so that entries should be wildcards.
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
    letters: tuple[tuple[str, str], ...] = ()
    folded_letters: tuple[tuple[str, str], ...] = ()
    segmented: bool = False
    script: str = ""
    infinitives: tuple[str, ...] = ()


def _words(*lines: str) -> tuple[str, ...]:
    return tuple(" ".join(lines).split())


def _phrases(*lines: str) -> tuple[str, ...]:
    return tuple(", ".join(lines).split(", "))


ARABIC_LETTERS = (("ٱ", "ا"), ("ى", "ي"), ("ی", "ي"), ("ة", "ه"), ("ک", "ك"), ("\u0640", ""))
"""Letters that texts write in several ways; the last one only stretches a word. Marks are removed like accents."""


LANGUAGES: Mapping[str, LanguageRules] = {
    "en": LanguageRules(
        "English",
        negation=Negation(
            _words(
                "not no never none nobody nothing nowhere neither nor without hardly barely scarcely cannot",
                "don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't mustn't",
                "needn't haven't hasn't hadn't ain't mightn't shan't daren't",
                "dont doesnt didnt isnt arent wasnt werent wont wouldnt cant couldnt shouldnt havent hasnt hadnt aint",
            ),
            _words("but however although though yet nevertheless except"),
            exceptions=_phrases(
                "no doubt, without doubt, without a doubt, no question, without question, not only, not just",
                "not merely, not simply, not solely, not to mention, not least, nothing but, nothing short of",
                "no wonder, no matter, can't wait, cannot wait, cant wait, can't help but, cannot help but",
                "couldn't help but",
            ),
        ),
        function_words=frozenset(
            _words("the of and to a in is it that was for with as this but be on not are have you at by from")
        ),
        inflections=(" s es ed ing er est", "e es ed ing er est", "y ies ied ying ier iest"),
    ),
    "es": LanguageRules(
        "Spanish",
        fold_accents=True,  # its texts and published lexicons leave accents out about as often as not
        keep_accents="ñ",
        negation=Negation(
            _words("no ni nunca jamás tampoco sin nada nadie ningún ninguno ninguna ningunos ningunas apenas"),
            _words("pero aunque sino mas excepto salvo"),
            exceptions=_phrases(
                "no solo, no solamente, no únicamente, no obstante, sin duda, sin dudas, sin duda alguna",
                "sin lugar a dudas, sin embargo, no es de extrañar",
            ),
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
    "fr": LanguageRules(
        "French",
        apostrophe_joins=False,
        negation=Negation(  # `ne` and `pas`: speech drops the one, and writing the other
            _words("pas jamais sans ni rien aucun aucune personne nullement guère ne non"),
            _words("mais cependant pourtant toutefois sauf quoique"),
            exceptions=_phrases(
                "non seulement, pas seulement, sans doute, sans aucun doute, sans nul doute, sans conteste",
                "rien que, non sans",
            ),
        ),
        function_words=frozenset(
            _words("le la les de des du et un une est en que qui dans pour pas ce il elle sur au avec plus ne")
        ),
        inflections=(" s e es", "er e es ent é ée és ées ant"),
    ),
    "de": LanguageRules(
        "German",
        fold_accents=True,  # capitals and Switzerland write ss for ß
        keep_accents="äöü",
        folded_letters=(("ß", "ss"), ("ẞ", "SS")),
        negation=Negation(
            _words("nicht kein keine keinen keiner keinem keines nie niemals ohne weder niemand nichts nirgends kaum"),
            _words("aber jedoch sondern doch obwohl allerdings außer"),
            exceptions=_phrases(
                "nicht nur, nicht bloß, nicht allein, nicht zuletzt, nicht umsonst, ohne zweifel, ohne frage",
                "kein zweifel, keine frage, kein wunder, nichts als",
            ),
        ),
        function_words=frozenset(
            _words("der die das und ist ein eine nicht zu den von mit sich auf für dem im es auch als an wie")
        ),
        inflections=(" e en er es em s", "en e t te ten est end ende enden"),
    ),
    "nl": LanguageRules(
        "Dutch",
        negation=Negation(
            _words("niet geen nooit zonder noch niemand niets nergens nauwelijks"),
            _words("maar echter hoewel behalve toch"),
            exceptions=_phrases(
                "niet alleen, niet enkel, niet slechts, niet alleen maar, zonder twijfel, geen twijfel",
                "geen wonder, niets dan, niet te vergeten, niet voor niets",
            ),
        ),
        function_words=frozenset(
            _words("de het een en van is dat in op te niet met voor zijn er aan die ook als maar om bij")
        ),
        inflections=(" e en er s", "en t te ten de den"),
    ),
    "it": LanguageRules(
        "Italian",
        apostrophe_joins=False,
        negation=Negation(
            _words("non né mai senza niente nulla nessun nessuno nessuna neanche nemmeno neppure"),
            _words("ma però tuttavia sebbene tranne eppure"),
            exceptions=_phrases(
                "non solo, non soltanto, non solamente, non a caso, senza dubbio, senza dubbi, senza alcun dubbio",
                "nessun dubbio, non vedo l'ora, niente male",
            ),
        ),
        function_words=frozenset(
            _words("il la di che e un una è non in per del della con i le si da sono gli al ma anche come")
        ),
        inflections=("o a i e", "are a ato ata ati ate ando", "ere ire e ito ita iti ite endo"),
    ),
    "pt": LanguageRules(
        "Portuguese",
        negation=Negation(
            _words("não nao nem nunca jamais sem nada ninguém nenhum nenhuma tampouco"),
            _words("mas porém contudo embora exceto todavia"),
            exceptions=_phrases(
                "não só, não apenas, não somente, nao so, nao apenas, não obstante, sem dúvida, sem dúvidas",
                "sem duvida, sem sombra de dúvida, não à toa",
            ),
        ),
        function_words=frozenset(
            _words("o a de que e do da em um uma não os as para com por se no na mais mas como foi dos")
        ),
        inflections=(" s es", "o a os as", "ar a am ado ada ados adas ando", "er ir e em ido ida idos idas"),
    ),
    "ru": LanguageRules(
        "Russian",
        fold_accents=True,  # ё is mostly written е
        keep_accents="й",
        negation=Negation(
            _words(
                "не ни нет нельзя никогда никто ничто ничего никому никак нигде никакой никакая никакое никакие без",
                "вряд едва отнюдь невозможно",
            ),
            _words("но однако хотя зато а кроме"),
            exceptions=_phrases(
                "не только, не просто, не раз, не зря, не иначе как, без сомнения, без сомнений, нет сомнений",
            ),
        ),
        function_words=frozenset(
            _words("и в не на что я он с как это по но она к у из за а от так о же для мы вы все был было")
        ),
    ),
    "tr": LanguageRules(
        "Turkish",
        apostrophe_joins=False,  # it separates the endings of a name
        letters=TURKIC_CASE,
        infinitives=("mek", "mak"),
        function_words=frozenset(
            _words("ve bir bu da de için çok ne ile gibi daha o ama en kadar sonra mi mı her olan ben var yok değil")
        ),
    ),
    "az": LanguageRules("Azerbaijani", apostrophe_joins=False, letters=TURKIC_CASE, infinitives=("mək", "maq")),
    "ar": LanguageRules(
        "Arabic",
        folded_letters=ARABIC_LETTERS,
        negation=Negation(
            _words("لا لم لن ليس ليست ليسوا لست لسنا غير بدون دون بلا عدم مش مو ولا ولم ولن وليس"),
            _words("لكن ولكن بل إلا رغم سوى"),
            exceptions=_phrases("ليس فقط, لا شك, بلا شك, دون شك, بدون شك, لا بد, لا سيما, لا بأس, لا ريب"),
        ),
        function_words=frozenset(
            _words("في من على إلى أن هذا هذه التي الذي كان كانت مع عن ما لا هو هي كل بعد قبل أو ثم قد لم جدا كما")
        ),
    ),
    "he": LanguageRules(
        "Hebrew",
        negation=Negation(
            _words("לא אין בלי ללא אינו אינה אינם אינן איני מעולם לעולם אף"),
            _words("אבל אך אולם למרות אלא"),
            exceptions=_phrases("לא רק, אין ספק, ללא ספק, בלי ספק, לא פעם, אין פלא, לא סתם"),
        ),
        script="\u0590-\u05ff",
    ),
    "zh": LanguageRules(
        "Chinese",
        segmented=True,
        negation=Negation(  # as the segmenter cuts them: it keeps some words together with 不 or 没
            _words(
                "不 没 没有 未 无 非 别 勿 莫 沒 沒有 無 別 不是 不会 不會 不能 不要 不用 不想 没什么 沒什麼 毫无 毫無",
                "并非 並非 我不 他不 她不 也不 就不 都不 并不 並不 很不 真不 从不 從不 绝不 絕不 决不 毫不 我没 也没",
            ),
            _words("但 但是 可是 不过 不過 然而 却 卻 只是"),
            exceptions=_phrases(
                "毫无 疑问, 毫無 疑問, 没有 疑问, 不 仅, 不 但, 不 只, 不 光, 不是 只有, 没 问题, 没有 问题",
            ),
        ),
    ),
    "ja": LanguageRules("Japanese", segmented=True),
    "ko": LanguageRules("Korean", infinitives=("다",), script="\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"),
    "th": LanguageRules(
        "Thai",
        segmented=True,
        negation=Negation(
            _words("ไม่ ไม่ใช่ ไม่ได้ ไม่มี ไม่เคย มิ ไร้ อย่า ปราศจาก"),
            _words("แต่ ทว่า"),
            exceptions=_phrases("ไม่ เพียง, ไม่ เพียง แต่, ไม่ใช่ แค่, ไม่ แค่, ไม่ ต้อง สงสัย"),
        ),
    ),
    "lo": LanguageRules("Lao", segmented=True),
    "km": LanguageRules("Khmer", segmented=True),
    "my": LanguageRules("Burmese", segmented=True),
    "any": LanguageRules("any other"),
}

NEGATIONS: Mapping[str, Negation] = {
    code: language.negation for code, language in LANGUAGES.items() if language.negation is not None
}
"""The negation of each language that has one."""
