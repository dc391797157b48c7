/** Extracts the text of the pages of a PDF, in drawing order, with that of form fields and other annotations. ISO 32000-2, 9.4 and 14.9.4. */

import { binaryText } from '../../bytes.ts'
import { identity, type Matrix, multiply } from '../../document/geometry.ts'
import { entryOf } from '../../entry-of.ts'
import type { Codec } from '../../plugin/values.ts'
import { rectOf } from '../forms/appearance.ts'
import { shownAppearance } from '../forms/shown-appearance.ts'
import type { PdfDocument } from '../model/document.ts'
import { pdfLimits, readable, tooLarge } from '../model/limits.ts'
import { readPages } from '../model/pages.ts'
import { textOfString } from '../model/text-string.ts'
import { isName, PdfDict, PdfName, PdfStream, PdfString, type PdfValue } from '../model/values.ts'
import { contentOperators } from '../read/content-operators.ts'
import { openPdf } from '../read/open.ts'
import { Parser } from '../read/parser.ts'
import { contentsOf } from '../stage/without-text.ts'
import { type FontText, readFont } from './font-text.ts'
import { PageText, type PlacedText } from './page-text.ts'

/** The maximum nesting of forms. */
const maxDepth = 8
/** The maximum number of operators of one file. Those of forms count each time the form is drawn. */
const maxOperators = 1_500_000
/** The maximum number of characters of one file. */
const maxCharacters = 2_000_000

/**
 * Returns the text of each page, line by line, in which the texts of annotations stand where they are shown. Replacement text (`ActualText`) is used instead of what is drawn. A page whose
 * content cannot be unpacked has no text. Throws as `openPdf` does, and 'pdf.too-large'.
 */
export function readPdfText(bytes: Uint8Array, codec: Codec): readonly string[] {
  const document = openPdf(bytes, codec, pdfLimits)
  const work: Work = { document, fonts: new Map(), operators: maxOperators }
  let left = maxCharacters
  return readPages(document).map(({ dict, inherited }) => {
    const page = new PageText(left, annotationTexts(work, dict, left))
    const resources = document.resolve(inherited.get('Resources') ?? null)
    const content = contentsOf(document, dict.get('Contents'))
    if (content !== undefined && left > 0) {
      const scope = { resources: resources instanceof PdfDict ? resources : new PdfDict(), depth: 0 }
      showContent(work, page, content.map(binaryText).join('\n'), scope, identity)
    }
    const text = page.text()
    left -= text.length
    return text
  })
}

/** Further annotations of one page are not read. */
const maxAnnotations = 500

/** What the annotations of a page show. Links show nothing. */
function annotationTexts(work: Work, page: PdfDict, maxLength: number): readonly PlacedText[] {
  const { document } = work
  const list = document.resolve(page.get('Annots'))
  if (!Array.isArray(list)) return []
  const texts: PlacedText[] = []
  for (const value of list.slice(0, maxAnnotations)) {
    const annotation = document.resolve(value)
    const shown = annotation instanceof PdfDict ? shownAppearance(document, annotation) : undefined
    const rect = annotation instanceof PdfDict ? rectOf(document, annotation) : undefined
    if (shown === undefined || rect === undefined) continue
    const collected = new PageText(maxLength)
    showStream(work, collected, shown.stream, { resources: new PdfDict(), depth: 0 }, shown.matrix)
    const text = collected.text()
    const [left, bottom, right, top] = rect
    if (text !== '') texts.push({ text, left, bottom, right, top })
  }
  return texts
}

/** The state that the pages of one file share. */
interface Work {
  readonly document: PdfDocument
  readonly fonts: Map<PdfDict, FontText>
  /** The number of operators that may still be read. */
  operators: number
}

interface Scope {
  readonly resources: PdfDict
  readonly depth: number // of forms
}

/** The part of the graphics state that determines text positions. ISO 32000-2, 9.3. */
interface TextState {
  readonly ctm: Matrix
  readonly font: FontText | undefined
  readonly size: number
  readonly scale: number // horizontal, 1 is 100 %
  readonly leading: number
  readonly characterSpace: number
  readonly wordSpace: number
}

/** The state of reading one content stream. */
interface Reading {
  readonly work: Work
  readonly page: PageText
  readonly scope: Scope
  state: TextState
  readonly saved: TextState[]
  line: Matrix // at the start of the line
  text: Matrix
  /**
   * For each open marked-content sequence, whether it hides what is drawn because its replacement text was added when it
   * began.
   */
  readonly marked: boolean[]
  hidden: number // the number of sequences that do
}

function showContent(work: Work, page: PageText, content: string, scope: Scope, ctm: Matrix): void {
  const state = { ctm, font: undefined, size: 0, scale: 1, leading: 0, characterSpace: 0, wordSpace: 0 }
  const reading: Reading = {
    work,
    page,
    scope,
    state,
    saved: [],
    line: identity,
    text: identity,
    marked: [],
    hidden: 0,
  }
  const bytes = Uint8Array.from(content, (character) => character.charCodeAt(0))
  for (const { name, from, to } of contentOperators(content)) {
    if (--work.operators < 0) throw tooLarge('operators in its pages', maxOperators)
    const run = entryOf(operators, name)
    if (run !== undefined) run(reading, operandsOf(bytes, from, to - name.length))
    if (page.isFull) return
  }
}

function operandsOf(bytes: Uint8Array, from: number, to: number): readonly PdfValue[] {
  const parser = new Parser(bytes.subarray(0, to), from, pdfLimits.depth)
  const values: PdfValue[] = []
  for (parser.skipSpace(); parser.at < to; parser.skipSpace()) {
    const value = readable(() => parser.value())
    if (value === undefined) break
    values.push(value)
  }
  return values
}

const numbers = (values: readonly PdfValue[]): number[] =>
  values.map((value) => (typeof value === 'number' ? value : 0))
const matrixOf = (values: readonly PdfValue[]): Matrix => {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers(values)
  return [a, b, c, d, e, f]
}
const setState = (reading: Reading, change: Partial<TextState>) => {
  reading.state = { ...reading.state, ...change }
}
const numberState =
  (key: 'leading' | 'characterSpace' | 'wordSpace') => (reading: Reading, values: readonly PdfValue[]) =>
    setState(reading, { [key]: numbers(values)[0] ?? 0 })

function moveLine(reading: Reading, x: number, y: number): void {
  reading.line = multiply(reading.line, [1, 0, 0, 1, x, y])
  reading.text = reading.line
}

type Operator = (reading: Reading, values: readonly PdfValue[]) => void

const operators: Readonly<Record<string, Operator | undefined>> = {
  q: (reading) => void (reading.saved.length < 1000 && reading.saved.push(reading.state)),
  Q: (reading) => {
    reading.state = reading.saved.pop() ?? reading.state
  },
  cm: (reading, values) => setState(reading, { ctm: multiply(reading.state.ctm, matrixOf(values)) }),
  BT: (reading) => {
    reading.line = identity
    reading.text = identity
  },
  Tf: (reading, [name, size]) =>
    setState(reading, { font: fontOf(reading, name ?? null), size: typeof size === 'number' ? size : 0 }),
  Tz: (reading, values) => setState(reading, { scale: (numbers(values)[0] ?? 100) / 100 }),
  TL: numberState('leading'),
  Tc: numberState('characterSpace'),
  Tw: numberState('wordSpace'),
  Tm: (reading, values) => {
    reading.line = matrixOf(values)
    reading.text = reading.line
  },
  Td: (reading, values) => moveLine(reading, numbers(values)[0] ?? 0, numbers(values)[1] ?? 0),
  TD: (reading, values) => {
    const [x = 0, y = 0] = numbers(values)
    setState(reading, { leading: -y })
    moveLine(reading, x, y)
  },
  'T*': (reading) => moveLine(reading, 0, -reading.state.leading),
  Tj: (reading, values) => showStrings(reading, values),
  TJ: (reading, [list]) => showStrings(reading, Array.isArray(list) ? list : []),
  "'": (reading, values) => {
    moveLine(reading, 0, -reading.state.leading)
    showStrings(reading, values)
  },
  '"': (reading, [word, character, string]) => {
    const [wordSpace = 0, characterSpace = 0] = numbers([word ?? null, character ?? null])
    setState(reading, { wordSpace, characterSpace })
    moveLine(reading, 0, -reading.state.leading)
    showStrings(reading, [string ?? null])
  },
  BMC: (reading) => beginMarked(reading, undefined),
  BDC: (reading, [, properties]) => beginMarked(reading, properties ?? null),
  EMC: (reading) => {
    if (reading.marked.pop() === true) reading.hidden--
  },
  Do: (reading, [name]) => showForm(reading, name ?? null),
}

function fontOf({ work, scope }: Reading, name: PdfValue): FontText | undefined {
  const { document, fonts } = work
  const listed = document.dictAt(scope.resources, 'Font')
  const font =
    name instanceof PdfName && listed !== undefined ? document.dictAt(listed, name.text) : undefined
  if (font === undefined) return undefined
  const readable = fonts.get(font) ?? readFont(document, font)
  fonts.set(font, readable)
  return readable
}

/** Shows strings with the distances between them, in thousandths of the font size. */
function showStrings(reading: Reading, items: readonly PdfValue[]): void {
  const { state, page } = reading
  const { font, size, scale } = state
  if (font === undefined) return
  for (const item of items) {
    if (typeof item === 'number') {
      // The distance is a gap only if more text follows, which `PageText.add` detects by the positions.
      reading.text = multiply(reading.text, [1, 0, 0, 1, (-item / 1000) * size * scale, 0])
      continue
    }
    if (!(item instanceof PdfString)) continue
    const { text, advance } = decoded(item.raw, state, font)
    const from = multiply(state.ctm, reading.text)
    reading.text = multiply(reading.text, [1, 0, 0, 1, advance, 0])
    const to = multiply(state.ctm, reading.text)
    const height = Math.hypot(from[2], from[3]) * Math.abs(size)
    page.add(reading.hidden === 0 ? text : '', { x: from[4], y: from[5] }, to[4], height)
  }
}

function decoded(raw: string, state: TextState, font: FontText) {
  let text = ''
  let advance = 0
  for (let at = 0; at + font.codeBytes <= raw.length; at += font.codeBytes) {
    const first = raw.charCodeAt(at)
    const code = font.codeBytes === 1 ? first : first * 256 + raw.charCodeAt(at + 1)
    if (text.length < maxCharacters) text += font.text(code)
    const word = font.codeBytes === 1 && code === 32 ? state.wordSpace : 0
    advance += ((font.width(code) / 1000) * state.size + state.characterSpace + word) * state.scale
  }
  return { text, advance }
}

/**
 * Begins marked content. If it has replacement text, that text is added and what is drawn is ignored. ISO 32000-2, 14.9.4.
 */
function beginMarked(reading: Reading, properties: PdfValue | undefined): void {
  const actual = properties === undefined ? undefined : actualTextOf(reading, properties)
  const hides = actual !== undefined && reading.hidden === 0
  if (reading.marked.length >= 1000) return
  reading.marked.push(hides)
  if (!hides) return
  reading.hidden++
  const { ctm, size } = reading.state
  const at = multiply(ctm, reading.text)
  reading.page.add(actual, { x: at[4], y: at[5] }, at[4], Math.hypot(at[2], at[3]) * Math.abs(size))
}

function actualTextOf({ work, scope }: Reading, properties: PdfValue): string | undefined {
  const { document } = work
  const listed = document.dictAt(scope.resources, 'Properties')
  const propertyList =
    properties instanceof PdfName ? listed && document.dictAt(listed, properties.text) : properties
  const text = propertyList instanceof PdfDict ? document.resolve(propertyList.get('ActualText')) : null
  if (!(text instanceof PdfString)) return undefined
  return textOfString(text)
}

/** Shows a form XObject, a content stream that pages and other forms draw by name. */
function showForm({ work, page, scope, state }: Reading, name: PdfValue): void {
  const { document } = work
  const listed = document.dictAt(scope.resources, 'XObject')
  const form =
    name instanceof PdfName && listed !== undefined ? document.resolve(listed.get(name.text)) : null
  if (!(form instanceof PdfStream) || scope.depth >= maxDepth) return
  if (isName(document.resolve(form.dict.get('Subtype')), 'Form'))
    showStream(work, page, form, scope, state.ctm)
}

function showStream(work: Work, page: PageText, form: PdfStream, scope: Scope, outer: Matrix): void {
  const { document } = work
  const content = readable(() => document.inflater.content(form, document.resolve))
  if (content === undefined) return
  const matrix = document.resolve(form.dict.get('Matrix'))
  const ctm = Array.isArray(matrix) ? multiply(outer, matrixOf(matrix.map(document.resolve))) : outer
  const inner = {
    resources: document.dictAt(form.dict, 'Resources') ?? scope.resources,
    depth: scope.depth + 1,
  }
  showContent(work, page, binaryText(content), inner, ctm)
}
