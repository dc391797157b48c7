/**
 * Equations as LaTeX (amsmath), as Markdown renderers show them: `\frac{a}{b}`, `x^{2}`, `\sum_{i=1}^{n}`. The macros
 * are those that MathJax and KaTeX support. The tables below define how single characters are written.
 */

import type { MathNode, MathText } from '../document/math.ts'
import { entryOf } from '../entry-of.ts'
import { normalForm } from '../normal-form.ts'

/** Writes an equation, without the dollar signs around it. It has no line breaks and no `|`, so that table cells can hold it. */
export function latexOf(node: MathNode): string {
  switch (node.kind) {
    case 'text':
      return textOf(node)
    case 'row':
      return joined(node.items.map(latexOf))
    case 'fraction':
      return fractionOf(node)
    case 'scripts':
      return scriptsOf(node)
    case 'limits':
      return limitsOf(node)
    case 'root':
      return `\\sqrt${node.degree === undefined ? '' : `[${latexOf(node.degree)}]`}{${latexOf(node.inside)}}`
    case 'operator':
      return operatorOf(node)
    case 'fence':
      return fenceOf(node)
    case 'table':
      return tableOf(node, node.align === 'left' ? 'aligned' : 'matrix')
    case 'accent':
      return accentOf(node)
    case 'framed':
      return `\\boxed{${latexOf(node.base)}}`
    default:
      return node satisfies never
  }
}

type Of<Kind extends MathNode['kind']> = Extract<MathNode, { kind: Kind }>

/** Macros by character, each written after its character. Characters without an entry are written as they are, which LaTeX of today reads as Unicode. */
const macros: ReadonlyMap<string, string> = new Map(
  `αalpha βbeta γgamma δdelta ϵepsilon εvarepsilon ζzeta ηeta θtheta ϑvartheta ιiota κkappa λlambda μmu νnu
  ξxi πpi ϖvarpi ρrho ϱvarrho σsigma ςvarsigma τtau υupsilon ϕphi φvarphi χchi ψpsi ωomega ΓGamma ΔDelta
  ΘTheta ΛLambda ΞXi ΠPi ΣSigma ΥUpsilon ΦPhi ΨPsi ΩOmega ±pm ∓mp ×times ÷div ·cdot ⋅cdot ∗ast ⋆star ∘circ
  •bullet ⊕oplus ⊖ominus ⊗otimes ⊙odot ≤leq ≥geq ≪ll ≫gg ≠neq ≈approx ≅cong ≡equiv ∼sim ≃simeq ∝propto
  ≺prec ≻succ ⊥perp ∥parallel ∈in ∉notin ∋ni ⊂subset ⊃supset ⊆subseteq ⊇supseteq ∪cup ∩cap ∖setminus
  ∅emptyset ∀forall ∃exists ∄nexists ¬neg ∧land ∨lor ⊢vdash ⊨models ∴therefore ∵because →to ←leftarrow
  ↔leftrightarrow ⇒Rightarrow ⇐Leftarrow ⇔Leftrightarrow ↑uparrow ↓downarrow ↦mapsto ⟶longrightarrow
  ⟹Longrightarrow ⇌rightleftharpoons ∞infty ∂partial ∇nabla ∆Delta ℏhbar ℓell ℜRe ℑIm ℵaleph ∠angle
  °degree ′prime …ldots ⋯cdots ⋮vdots ⋱ddots ∑sum ∏prod ∐coprod ∫int ∬iint ∭iiint ∮oint ⋃bigcup ⋂bigcap
  ⋁bigvee ⋀bigwedge ⨁bigoplus ⨂bigotimes ⟨langle ⟩rangle ⌈lceil ⌉rceil ⌊lfloor ⌋rfloor ‖Vert ∣mid |vert`
    .split(/\s+/)
    .map((entry): [string, string] => {
      const [character = ''] = entry
      return [character, `\\${entry.slice(character.length)}`]
    }),
)

/** Characters with a meaning in LaTeX. A `&` aligns equations below each other and stays as it is. */
const escapes: ReadonlyMap<string, string> = new Map([
  ['\\', '\\backslash'],
  ['{', '\\{'],
  ['}', '\\}'],
  ['#', '\\#'],
  ['$', '\\$'],
  ['%', '\\%'],
  ['_', '\\_'],
  ['^', '\\hat{}'],
  ['~', '\\sim'],
  ['\u2212', '-'],
  ['\u2061', ''], // function application
  ['\u2062', ''], // invisible times
  ['\u200b', ''],
  ['\u2009', '\\,'],
  ['\u2003', '\\quad'],
  ['\u00a0', '\\ '],
])

/** Names that LaTeX writes as functions, in roman letters. */
const functions = new Set(
  'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim ln log max min Pr sec sin sinh sup tan tanh'.split(
    ' ',
  ),
)

/** Alphabets of Unicode's mathematical letters, by the first and the last character. Italic letters need no macro. */
const alphabets: readonly (readonly [first: number, last: number, macro: string])[] = [
  [0x1d400, 0x1d433, 'mathbf'],
  [0x1d468, 0x1d49b, 'boldsymbol'],
  [0x1d49c, 0x1d4cf, 'mathcal'],
  [0x1d4d0, 0x1d503, 'mathcal'],
  [0x1d504, 0x1d537, 'mathfrak'],
  [0x1d538, 0x1d56b, 'mathbb'],
  [0x1d56c, 0x1d59f, 'mathfrak'],
  [0x1d5a0, 0x1d66f, 'mathsf'],
  [0x1d670, 0x1d6a3, 'mathtt'],
]
const doubleStruck = /[ℂℍℕℙℚℝℤ]/u
const letterlike = /[\u2100-\u214f\u{1d400}-\u{1d7ff}]/u

function characterOf(character: string): string {
  const command = escapes.get(character) ?? macros.get(character)
  if (command !== undefined) return command
  if (!letterlike.test(character)) return character
  const normalized = normalForm(character, 'NFKC')
  if (doubleStruck.test(character)) return `\\mathbb{${normalized}}`
  const code = character.codePointAt(0) ?? 0
  const alphabet = alphabets.find(([first, last]) => code >= first && code <= last)
  return alphabet === undefined ? (macros.get(normalized) ?? normalized) : `\\${alphabet[2]}{${normalized}}`
}

function textOf({ text, style }: MathText): string {
  const normalized = text.trim()
  if (style !== 'math' && functions.has(normalized)) return `\\${normalized}`
  // Words are roman and keep their spaces; a single letter, a digit or a sign needs no \text.
  if ((style === 'plain' || style === 'bold') && /\p{L}\p{L}|\p{L} | \p{L}/u.test(text)) {
    const escaped = text.replace(
      /[\\{}#$%&_^~|]/g,
      (character) => entryOf(textEscapes, character) ?? character,
    )
    return `\\${style === 'bold' ? 'textbf' : 'text'}{${escaped}}`
  }
  const content = joined([...(style === 'plain' ? text : normalized)].map(characterOf))
  if (content === '' || style === 'math') return content
  if (style === 'plain') return /^\p{L}$/u.test(content) ? `\\mathrm{${content}}` : content
  return `\\${style === 'bold' ? 'mathbf' : 'boldsymbol'}{${content}}`
}

const textEscapes: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '|': '\\textbar{}',
  '{': '\\{',
  '}': '\\}',
  '#': '\\#',
  $: '\\$',
  '%': '\\%',
  '&': '\\&',
  _: '\\_',
}

/** A macro ends at the first character that is not a letter, so it is separated from a letter by a space. */
function joined(parts: readonly string[]): string {
  let out = ''
  for (const part of parts) out += /\\[a-zA-Z]+$/.test(out) && /^[a-zA-Z]/.test(part) ? ` ${part}` : part
  return out
}

/** The base of a script: a single token unchanged, anything else in braces. */
function baseOf(node: MathNode): string {
  const text = latexOf(node)
  return /^(?:[^\\{}^_]|\\[a-zA-Z]+|\\left.*\\right(?:\\[a-zA-Z]+|.)|\\\w+\{[^{}]*\})$/u.test(text)
    ? text
    : `{${text}}`
}

const script = (operator: '_' | '^', node: MathNode | undefined): string =>
  node === undefined ? '' : `${operator}{${latexOf(node)}}`

function fractionOf({ above, below, bar }: Of<'fraction'>): string {
  if (bar === 'slanted') return `{${latexOf(above)}}/{${latexOf(below)}}`
  if (bar === 'none') return `\\genfrac{}{}{0pt}{}{${latexOf(above)}}{${latexOf(below)}}`
  return `\\frac{${latexOf(above)}}{${latexOf(below)}}`
}

function scriptsOf({ base, sub, sup, before }: Of<'scripts'>): string {
  const scripts = script('_', sub) + script('^', sup)
  return before === true ? `{}${scripts}${latexOf(base)}` : baseOf(base) + scripts
}

/** Functions such as lim have their limits below by themselves. */
function limitsOf({ base, under, over }: Of<'limits'>): string {
  const text = latexOf(base)
  if (/^\\(?:det|gcd|inf|lim|max|min|Pr|sup)$/.test(text))
    return text + script('_', under) + script('^', over)
  if (/^\\(?:over|under)brace\{/.test(text)) return text + script('_', under) + script('^', over)
  const lower = under === undefined ? text : `\\underset{${latexOf(under)}}{${text}}`
  return over === undefined ? lower : `\\overset{${latexOf(over)}}{${lower}}`
}

const besideByItself = /^\\(?:i{0,2}|o)int$/

function operatorOf({ sign, sub, sup, body, limits }: Of<'operator'>): string {
  const macro = joined([...sign].map(characterOf))
  const enclosesBase = !besideByItself.test(macro)
  const hasScripts = sub !== undefined || sup !== undefined
  const limitsCommand =
    !hasScripts || (limits === 'around') === enclosesBase ? '' : enclosesBase ? '\\nolimits' : '\\limits'
  const head = /^\\/.test(macro) ? macro : `\\operatorname*{${macro}}`
  return joined([`${head}${limitsCommand}${script('_', sub)}${script('^', sup)}`, latexOf(body)])
}

/** Delimiters that grow with their content. */
const delimiters: Readonly<Record<string, string>> = {
  '': '.',
  '{': '\\{',
  '}': '\\}',
  '|': '\\vert',
  '∣': '\\vert',
  '‖': '\\Vert',
  '⟨': '\\langle',
  '⟩': '\\rangle',
  '〈': '\\langle',
  '〉': '\\rangle',
  '⌈': '\\lceil',
  '⌉': '\\rceil',
  '⌊': '\\lfloor',
  '⌋': '\\rfloor',
  '(': '(',
  ')': ')',
  '[': '[',
  ']': ']',
  '/': '/',
  '<': '\\langle',
  '>': '\\rangle',
}
const matrices: Readonly<Record<string, string>> = {
  '()': 'pmatrix',
  '[]': 'bmatrix',
  '{}': 'Bmatrix',
  '||': 'vmatrix',
  '‖‖': 'Vmatrix',
  '{': 'cases',
}

function fenceOf({ open, close, between, items }: Of<'fence'>): string {
  const [only] = items
  const environment = entryOf(matrices, open + close)
  const isCases = environment === 'cases' && only?.kind === 'table' && only.align === 'left'
  if (items.length === 1 && environment !== undefined) {
    if (only?.kind === 'table' && (only.align === 'center' || isCases)) return tableOf(only, environment)
    if (only?.kind === 'fraction' && only.bar === 'none' && open === '(')
      return `\\binom{${latexOf(only.above)}}{${latexOf(only.below)}}`
  }
  const middle = entryOf(delimiters, between)
  const separator =
    middle === undefined || between === '' ? joined([...between].map(characterOf)) : `\\middle${middle}`
  const inside = items
    .map(latexOf)
    .reduce((all, item) => joined([joined([all, separator]), item]), '')
    .slice(items.length === 0 ? 0 : separator.length)
  return joined([
    `\\left${entryOf(delimiters, open) ?? '.'}`,
    inside.trimStart(),
    `\\right${entryOf(delimiters, close) ?? '.'}`,
  ])
}

function tableOf({ rows }: Of<'table'>, name: string): string {
  const lines = rows.map((row) => row.map(latexOf).join(' & '))
  return `\\begin{${name}}${lines.join(' \\\\ ')}\\end{${name}}`
}

/** Signs over and under a base: for one character, and for several. */
const accents: Readonly<Record<string, readonly [narrow: string, wide: string]>> = {
  '\u0302': ['hat', 'widehat'],
  '^': ['hat', 'widehat'],
  '\u0303': ['tilde', 'widetilde'],
  '~': ['tilde', 'widetilde'],
  '\u0304': ['bar', 'overline'],
  '\u0305': ['overline', 'overline'],
  '\u00af': ['bar', 'overline'],
  '\u203e': ['bar', 'overline'],
  '\u20d7': ['vec', 'overrightarrow'],
  '→': ['vec', 'overrightarrow'],
  '\u20d6': ['overleftarrow', 'overleftarrow'],
  '←': ['overleftarrow', 'overleftarrow'],
  '\u0307': ['dot', 'dot'],
  '\u02d9': ['dot', 'dot'],
  '\u0308': ['ddot', 'ddot'],
  '\u20db': ['dddot', 'dddot'],
  '\u0301': ['acute', 'acute'],
  '\u0300': ['grave', 'grave'],
  '\u030c': ['check', 'check'],
  '\u0306': ['breve', 'breve'],
  '\u23de': ['overbrace', 'overbrace'],
}
const belowSigns: Readonly<Record<string, string>> = {
  '\u00af': 'underline',
  '\u0332': 'underline',
  _: 'underline',
  '\u23df': 'underbrace',
}

function accentOf({ base, sign, at }: Of<'accent'>): string {
  const inside = latexOf(base)
  const below = entryOf(belowSigns, sign)
  if (at === 'below') {
    if (below !== undefined) return `\\${below}{${inside}}`
    return `\\underset{${joined([...sign].map(characterOf))}}{${inside}}`
  }
  const accent = entryOf(accents, sign)
  if (accent === undefined) return `\\overset{${joined([...sign].map(characterOf))}}{${inside}}`
  const isNarrow = /^(?:\w|\\[a-zA-Z]+)$/u.test(inside)
  return `\\${accent[isNarrow ? 0 : 1]}{${inside}}`
}
