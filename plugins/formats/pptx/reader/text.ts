/** Text of shapes and table cells: a:txBody and its paragraphs (ECMA-376-1 21.1.2). */

import { isFollowed } from '../../../../shared/document/followed-link.ts'
import { mathWords } from '../../../../shared/document/math.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import type { FlowAlign, FlowInline, FlowStyle } from '../../../../shared/flow/flow.ts'
import type { SlideBudget, SlideLine } from '../../../../shared/flow/from-slides.ts'
import { latexOf } from '../../../../shared/flow/math-latex.ts'
import { readMath } from '../../../../shared/office/ooxml/math.ts'
import type { Relationships } from '../../../../shared/office/ooxml/relationships.ts'
import { integer, isOn } from '../../../../shared/office/ooxml/values.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'

/** The bullet of a paragraph: CT_TextParagraphProperties, the group EG_TextBullet (21.1.2.4). */
export type Bullet = { readonly list: 'bullets' | 'numbers' | undefined; readonly start?: number }
/** Bullets by level, from 0; a level that does not specify one is absent. */
export type BulletLevels = ReadonlyMap<number, Bullet>

/** The state of reading the text of one slide. */
export interface SlideText {
  readonly cursor: XmlCursor
  readonly relationships: Relationships
  readonly budget: SlideBudget
  /** Anchors of slides by part name, for links between slides. */
  readonly anchors: ReadonlyMap<string, string>
}

export interface SlideTextBody {
  readonly lines: readonly SlideLine[]
  readonly size?: number // the largest declared font size in pt
}

/** Maximum level of a paragraph (ST_TextIndentLevelType, 21.1.10.8). */
const maxLevel = 8
const monospaced = /courier|mono|consolas|menlo|fixed/i
const controls = /(?![\t\n\r])\p{Cc}|_x000[Bb]_/gu

/** Reads the levels of a:lstStyle or of a style of a master at the cursor: a:lvl1pPr and so on. */
export function readBulletLevels(cursor: XmlCursor): BulletLevels {
  const levels = new Map<number, Bullet>()
  cursor.each((name) => {
    const level = /^a:lvl([1-9])pPr$/.exec(name)?.[1]
    const bullet = level === undefined ? undefined : readBullet(cursor)
    if (bullet !== undefined) levels.set(Number(level) - 1, bullet)
  })
  return levels
}

/** The bullet that paragraph properties declare; undefined if they declare none. */
function readBullet(cursor: XmlCursor): Bullet | undefined {
  let bullet: Bullet | undefined
  cursor.each((name) => {
    if (name === 'a:buNone') bullet = { list: undefined }
    else if (name === 'a:buBlip') bullet = { list: 'bullets' }
    else if (name === 'a:buChar')
      bullet = { list: (cursor.attribute('char') ?? '').trim() === '' ? undefined : 'bullets' }
    else if (name === 'a:buAutoNum')
      bullet = { list: 'numbers', start: Math.max(0, integer(cursor.attribute('startAt')) ?? 1) }
  })
  return bullet
}

/**
 * Reads a text body. `inherited` are the bullets of the styles that apply to the shape, nearest first; `link` is the link of
 * the shape itself.
 */
export function readTextBody(
  text: SlideText,
  inherited: readonly BulletLevels[],
  link?: string,
): SlideTextBody {
  const { cursor, budget } = text
  const lines: SlideLine[] = []
  let direct: BulletLevels = new Map()
  let size = 0
  cursor.each((name) => {
    if (name === 'a:lstStyle') direct = readBulletLevels(cursor)
    else if (name === 'a:p' && budget.take()) {
      const read = readParagraph(text, [direct, ...inherited], link)
      lines.push(read.line)
      size = Math.max(size, read.size)
    }
  })
  return { lines, ...(size > 0 && { size }) }
}

function readParagraph(
  text: SlideText,
  styles: readonly BulletLevels[],
  shapeLink: string | undefined,
): { readonly line: SlideLine; readonly size: number } {
  const { cursor } = text
  const inlines: FlowInline[] = []
  let [level, size] = [0, 0]
  let align: FlowAlign | undefined
  let direct: Bullet | undefined
  const addText = (value: string, { style, link }: RunFormat) => {
    const href = link ?? shapeLink
    for (const [at, part] of value.split(/\v|_x000[Bb]_/).entries()) {
      if (at > 0) inlines.push({ kind: 'break' })
      const clean = part.replace(controls, '')
      if (clean !== '')
        inlines.push({ kind: 'text', text: clean, style, ...(href !== undefined && { link: href }) })
    }
  }
  const visit = (name: string): void => {
    if (name === 'a:pPr') {
      level = Math.min(maxLevel, Math.max(0, integer(cursor.attribute('lvl')) ?? 0))
      align = entryOf(aligns, cursor.attribute('algn'))
      direct = readBullet(cursor)
    } else if (name === 'a:r' || name === 'a:fld') {
      let format: RunFormat = unformatted
      cursor.each((child) => {
        if (child === 'a:rPr') format = readRun(text)
        else if (child === 'a:t') addText(cursor.text(), format)
      })
      if (inlines.length > 0) size = Math.max(size, format.size ?? 0)
    } else if (name === 'a:br') inlines.push({ kind: 'break' })
    else if (name === 'm:oMath') inlines.push(readEquation(cursor, display))
    else if (name === 'a14:m' || name === 'm:oMathPara') {
      display = display || name === 'm:oMathPara'
      cursor.each(visit)
    }
  }
  let display = false
  cursor.each(visit)
  const bullet =
    direct ?? styles.map((levels) => levels.get(level)).find((candidate) => candidate !== undefined)
  const line: SlideLine = {
    inlines,
    level,
    list: bullet?.list,
    ...(bullet?.start !== undefined && { start: bullet.start }),
    ...(align !== undefined && { align }),
  }
  return { line, size }
}

/** ST_TextAlignType (21.1.10.1.1). The start of the line is the default and omitted. */
const aligns: Readonly<Record<string, FlowAlign>> = { ctr: 'center', r: 'right' }

function readEquation(cursor: XmlCursor, display: boolean): FlowInline {
  const math = readMath(cursor)
  return {
    kind: 'text',
    text: mathWords(math),
    style: { italic: true },
    equation: { latex: latexOf(math), display },
  }
}

interface RunFormat {
  readonly style: FlowStyle
  readonly link?: string | undefined
  readonly size?: number // pt
}
const unformatted: RunFormat = { style: {} }

/** a:rPr (21.1.2.3.9). */
function readRun(text: SlideText): RunFormat {
  const { cursor } = text
  const underline = cursor.attribute('u') ?? 'none'
  const strike = cursor.attribute('strike') ?? 'noStrike'
  const baseline = Number.parseFloat(cursor.attribute('baseline') ?? '0')
  const size = (integer(cursor.attribute('sz')) ?? 0) / 100
  const [bold, italic] = [isOn(cursor.attribute('b')), isOn(cursor.attribute('i'))]
  let link: string | undefined
  let code: boolean = false
  cursor.each((name) => {
    if (name === 'a:hlinkClick') link = readLink(text)
    else if (name === 'a:latin') code = monospaced.test(cursor.attribute('typeface') ?? '')
  })
  return {
    style: {
      ...(bold && { bold }),
      ...(italic && { italic }),
      ...(underline !== 'none' && link === undefined && { underline: true }),
      ...(strike !== 'noStrike' && { strike: true }),
      ...(baseline > 0 && { script: 'super' as const }),
      ...(baseline < 0 && { script: 'sub' as const }),
      ...(code ? { code } : {}),
    },
    link,
    ...(size > 0 && { size }),
  }
}

/** a:hlinkClick (21.1.2.3.5): the address of a link or the anchor of a slide; undefined for other actions. */
export function readLink({ cursor, relationships, anchors }: SlideText): string | undefined {
  const relationship = relationships.get(cursor.attribute('r:id') ?? '')
  if (relationship === undefined) return undefined
  if (relationship.external) return isFollowed(relationship.target) ? relationship.target : undefined
  const anchor = anchors.get(relationship.target)
  return anchor === undefined ? undefined : `#${anchor}`
}
