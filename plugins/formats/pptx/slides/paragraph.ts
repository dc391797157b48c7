/** Reads paragraphs of shapes and cells into the document model and applies inherited formatting (ECMA-376-1 21.1.2). */
import { type Inline, mathInline, type Paragraph } from '../../../../shared/document/content.ts'
import type { Level } from '../../../../shared/document/numbering.ts'
import type {
  Link,
  ListPosition,
  ParagraphProperties,
  RunProperties,
} from '../../../../shared/document/properties.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { ListCounter } from '../../../../shared/office/list-counter.ts'
import { readMath } from '../../../../shared/office/ooxml/math.ts'
import { integer } from '../../../../shared/office/ooxml/values.ts'
import { fieldOf } from './fields.ts'
import type { ListStyle, ParagraphStyle, Spacing } from './list-style.ts'
import { schemeOf } from './lists.ts'
import { type SlidePart, sharedOf, spend } from './part.ts'
import { mergeRuns, type ReadRun, readRun } from './run-style.ts'
import { levelStyle, mergeStyles, readParagraphStyle } from './text-style.ts'

/** Maximum level of a paragraph (ST_TextIndentLevelType, 20.1.10.74). */
const maxLevel = 8

/** Reads the paragraphs of one text body. */
export class ParagraphReader {
  readonly #part: SlidePart
  readonly #styles: readonly ListStyle[]
  readonly #levels: (ParagraphStyle | undefined)[] = []
  readonly #counter = new ListCounter()

  readonly #scale: number
  readonly #isOutline: boolean

  /**
   * `styles` are the list styles that apply to the body; later ones take precedence. `scale` applies to sizes and paragraph
   * spacing of shrunk text. `isOutline`: the body is that of a content placeholder.
   */
  constructor(
    part: SlidePart,
    styles: readonly ListStyle[],
    { scale = 1, isOutline = false }: { readonly scale?: number; readonly isOutline?: boolean } = {},
  ) {
    this.#part = part
    this.#styles = styles
    this.#scale = scale
    this.#isOutline = isOutline
  }

  #level(level: number): ParagraphStyle {
    return (this.#levels[level] ??= levelStyle(this.#styles, level))
  }

  /** Reads a:p (21.1.2.2.6) at the cursor. */
  read(): Paragraph {
    const { cursor, context } = this.#part
    spend(context.budget, 'paragraphs')
    let level = 0
    let style = this.#level(0)
    let end: RunProperties | undefined
    const inlines: Inline[] = []
    const runOf = ({ run }: ReadRun): RunProperties =>
      sharedOf(context, scaled(mergeRuns(style.run, run), this.#scale))
    cursor.each((name) => {
      switch (name) {
        case 'a:pPr':
          level = Math.max(0, Math.min(maxLevel, integer(cursor.attribute('lvl')) ?? 0))
          style = mergeStyles(this.#level(level), readParagraphStyle(this.#part))
          break
        case 'a:endParaRPr':
          end = runOf(readRun(this.#part))
          break
        default:
          readInline(this.#part, name, runOf, inlines)
      }
    })
    const first = inlines.find((inline) => inline.kind === 'text' || inline.kind === 'field')
    const run = first !== undefined && 'run' in first ? first.run : (end ?? runOf({ run: {} }))
    const list = this.#label(style, level, run, inlines.length > 0)
    const loses =
      this.#isOutline && level > 0 && inlines.length === 0 && (style.bullet?.kind ?? 'none') !== 'none'
    const properties = sharedOf(
      context,
      paragraphProperties(loses ? emptyItem(this.#level(0)) : style, run, list, this.#scale),
    )
    return { kind: 'paragraph', properties, mark: inlines.length === 0 ? (end ?? run) : run, inlines }
  }

  /** The label of a paragraph. Empty paragraphs have no label and are not counted. */
  #label(
    style: ParagraphStyle,
    level: number,
    run: RunProperties,
    hasText: boolean,
  ): ListPosition | undefined {
    if (!hasText) return undefined
    const { bullet = { kind: 'none' } } = style
    if (bullet.kind !== 'number') this.#counter.interrupt(level)
    if (bullet.kind === 'none' || (bullet.kind === 'character' && bullet.text === '')) return undefined
    const number =
      bullet.kind === 'number' ? this.#counter.next(level, bullet.scheme, bullet.start) : undefined
    return this.#part.context.lists.position(labelLevel(style, bullet, run, level), number)
  }
}

/**
 * The formatting of an empty item of a deeper level in a content placeholder. Observed in LibreOffice: it loses its bullet and its
 * formatting, and has the height of lines of the first level and half a centimetre above it.
 */
const emptyItem = ({ line }: ParagraphStyle): ParagraphStyle => ({
  before: { points: 14.17 },
  ...(line !== undefined && { line }),
})

type Label = Exclude<NonNullable<ParagraphStyle['bullet']>, { readonly kind: 'none' }>

/** Six millimetres: the width of a label, and the indent of each level (measured in LibreOffice). */
const labelWidth = 17

/**
 * The indents of a paragraph with a label. Each has a default of its own, and the label does not stand left of the box (measured
 * in LibreOffice).
 */
function labelIndent(
  { start, first = -labelWidth }: ParagraphStyle,
  level: number,
): { readonly start: number; readonly first: number } {
  const indent = start ?? labelWidth * (level + 1)
  return { start: indent, first: Math.max(first, -indent) }
}

/** The list level of a label before text with this formatting. */
function labelLevel(style: ParagraphStyle, bullet: Label, run: RunProperties, level: number): Level {
  const { bulletColor, bulletSize, bulletFont } = style
  const size = run.size ?? 18
  const label: Writable<RunProperties> = {}
  if (bulletColor !== undefined && bulletColor !== 'text') label.color = bulletColor
  // A size in points does not count (observed in LibreOffice).
  if (bulletSize !== undefined && bulletSize !== 'text' && 'share' in bulletSize)
    label.size = label.complexSize = bulletSize.share * size
  if (bulletFont !== undefined && bulletFont !== 'text' && bullet.kind === 'character')
    label.fonts = { ascii: bulletFont, other: bulletFont, eastAsia: bulletFont, complex: bulletFont }
  const height = label.size ?? size
  const indent = labelIndent(style, level)
  return {
    start: 1,
    ...(bullet.kind === 'number'
      ? schemeOf(bullet.scheme)
      : { format: 'bullet', text: bullet.kind === 'character' ? bullet.text : '' }),
    ...(bullet.kind === 'picture' &&
      bullet.media !== '' && { picture: bullet.media, pictureSize: { width: height, height } }),
    // Without a hanging indent there is no space for the label, and text follows it directly.
    suffix: indent.first < 0 ? 'tab' : 'nothing',
    ...(bullet.kind === 'character' && { isCentred: true }),
    align: 'left',
    legal: false,
    // Text directly follows a label that is wider than its indent.
    addsIndent: true,
    paragraph: { indent },
    run: label,
  }
}

/** Reads a run, field, break or equation. */
function readInline(
  part: SlidePart,
  name: string,
  runOf: (read: ReadRun) => RunProperties,
  inlines: Inline[],
): void {
  const { cursor } = part
  switch (name) {
    case 'a:r':
    case 'a:fld': {
      const type = cursor.attribute('type')
      let read: ReadRun = { run: {} }
      let text = ''
      cursor.each((child) => {
        if (child === 'a:rPr') read = readRun(part)
        else if (child === 'a:t') text += cursor.text()
      })
      const run = runOf(read)
      const field = name === 'a:fld' ? fieldOf(type ?? '', text, run.language) : undefined
      if (field !== undefined)
        inlines.push({ kind: 'field', field, run, ...(read.link && { link: read.link }) })
      else addText(text, run, read.link, inlines)
      break
    }
    case 'a:br': {
      let read: ReadRun = { run: {} }
      cursor.each((child) => {
        if (child === 'a:rPr') read = readRun(part)
      })
      inlines.push({ kind: 'break', at: 'line', run: runOf(read) })
      break
    }
    case 'a14:m':
      cursor.each((child) => readInline(part, child, runOf, inlines))
      break
    case 'm:oMathPara':
      cursor.each((child) => {
        if (child === 'm:oMath')
          inlines.push(mathInline(readMath(cursor), { run: runOf({ run: {} }), display: true }))
      })
      break
    case 'm:oMath':
      inlines.push(mathInline(readMath(cursor), { run: runOf({ run: {} }) }))
      break
  }
}

/** Adds text, which may contain tabs and line breaks as characters. */
function addText(text: string, run: RunProperties, link: Link | undefined, inlines: Inline[]): void {
  for (const part of text.split(/(\t|\v|\r?\n|_x000[Bb]_)/)) {
    if (part === '') continue
    if (part === '\t') inlines.push({ kind: 'tab', run })
    else if (/^(?:\v|\r?\n|_x000[Bb]_)$/.test(part)) inlines.push({ kind: 'break', at: 'line', run })
    else inlines.push({ kind: 'text', text: part, run, ...(link !== undefined && { link }) })
  }
}

/** A run at a fraction of its size. */
function scaled(run: RunProperties, scale: number): RunProperties {
  if (scale === 1) return run
  const size = (run.size ?? 18) * scale
  return { ...run, size, complexSize: size }
}

/** Without a label, no line begins before the text (observed in LibreOffice). */
function lineStarts({ start = 0, first = 0 }: ParagraphStyle): {
  readonly start: number
  readonly first: number
} {
  const inside = Math.max(0, start)
  return { start: inside, first: Math.max(first, -inside) }
}

/** Converts properties to the document model. Fractions refer to the size of the first run. */
function paragraphProperties(
  style: ParagraphStyle,
  run: RunProperties,
  list: ListPosition | undefined,
  scale: number,
): ParagraphProperties {
  const { align, rightToLeft, line, tabs, defaultTab, end } = style
  const size = run.size ?? 18
  const distance = (spacing: Spacing | undefined): number =>
    spacing === undefined ? 0 : 'points' in spacing ? spacing.points * scale : spacing.share * size
  return {
    align: align ?? 'left',
    // A label includes the indents of its paragraph.
    indent:
      list === undefined
        ? { ...lineStarts(style), ...(end !== undefined && { end }) }
        : { start: 0, first: 0, ...(end !== undefined && { end }) },
    spaceBefore: distance(style.before),
    spaceAfter: distance(style.after),
    line:
      line === undefined
        ? { rule: 'multiple', value: 1 }
        : 'points' in line
          ? { rule: 'exact', value: line.points }
          : { rule: 'multiple', value: line.share },
    ...(rightToLeft === true && { rightToLeft }),
    ...(tabs !== undefined && { tabs }),
    ...(defaultTab !== undefined && { defaultTab }),
    ...(list !== undefined && { list }),
  }
}
