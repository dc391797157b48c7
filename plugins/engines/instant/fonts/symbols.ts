/**
 * Converts characters of the symbol fonts of Windows to Unicode, for machines without those fonts. Documents
 * write them as U+F020 to U+F0FF or as the byte itself; list bullets are the common case. Source: the Symbol
 * encoding of ISO 32000-2, annex D.6; Unicode L2/11-052 for Wingdings, where older characters are preferred
 * to new ones that few fonts have.
 */
type SymbolMap = ReadonlyMap<number, string>

const symbol = table(
  [0x20, ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼'],
  [0xa0, '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…|—↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪'],
  [0xf1, '⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭'],
)

const wingdings = table(
  [0x20, ' ✏✂✁👓🔔📖🕯☎✆✉'],
  [0x2c, '📪📫📬📭📁📂📄'],
  [0x36, '⌛'],
  [
    0x3e,
    '✇✍✎✌👌👍👎☜☞☝☟✋☺😐☹💣☠⚑⚐✈☼💧❄✝✞✝✠✡☪☯ॐ☸♈♉♊♋♌♍♎♏♐♑♒♓&&●❍■□□❑❒⬧⧫◆❖⬥⌧⌂⌘❀✿❝❞▯⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿',
  ],
  [0x9e, '·•▪○◉◎◉◎○▪◻▲✦★✶✴✹✵⌖⟡⌑✧✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛'],
  [0xd5, '⌫⌦➢➢▲▼➲➲▲▼←→↑↓↖↗↙↘←➔↑↓↖↗↙↘⇦⇨⇧⇩⬄⇳⬁⬀⬃⬂▭▫✗✓☒☑'],
)

const wingdings2 = table([0x4f, '✗✓☒☑☒☒'], [0x96, '●●●●○○○○◉◉■■■■□□□'], [0xae, '◆◆◆◇'], [0xe2, '✦★'])

const wingdings3 = table([0x21, '←→↑↓↖↗↙↘'], [0x70, '▲▼△▽◀▶◁▷◣◢'], [0x7b, '◀▶▶'])

const webdings = table([0x33, '◀▶▲▼'], [0x61, '✔'], [0x6e, '●'], [0x72, '✗'])

const byFamily: ReadonlyMap<string, SymbolMap> = new Map([
  ['symbol', symbol],
  ['symbolmt', symbol],
  ['wingdings', wingdings],
  ['wingdings 2', wingdings2],
  ['wingdings 3', wingdings3],
  ['webdings', webdings],
])

export function isSymbolFamily(family: string): boolean {
  return byFamily.has(family.toLowerCase())
}

/**
 * The text in Unicode. Characters that the table lacks are kept, except for private ones, which become
 * bullets.
 */
export function symbolsToUnicode(family: string, text: string): string {
  const unicodeOf = byFamily.get(family.toLowerCase())
  if (unicodeOf === undefined) return text
  let out = ''
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const isPrivate = code >= 0xf000 && code <= 0xf0ff
    out += unicodeOf.get(isPrivate ? code - 0xf000 : code) ?? (isPrivate ? '•' : character)
  }
  return out
}

function table(...rows: readonly (readonly [first: number, characters: string])[]): SymbolMap {
  const map = new Map<number, string>()
  for (const [first, characters] of rows) {
    for (const [index, character] of [...characters].entries()) map.set(first + index, character)
  }
  return map
}
