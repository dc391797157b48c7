import type { Level, Numbering } from '../../../../shared/document/numbering.ts'
import type { StyleSheet } from '../../../../shared/document/styles.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { paddedFormat } from '../../../../shared/office/number-series.ts'
import type { Theme } from '../../../../shared/office/ooxml/theme.ts'
import { emu, integer, length, onOff, val } from '../../../../shared/office/ooxml/values.ts'
import { wordVocabulary } from '../../../../shared/office/ooxml/vocabulary.ts'
import { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { readParagraphProperties } from './paragraph-properties.ts'
import { readRunProperties } from './run-properties.ts'

/** A w:abstractNum: its levels, or the list style that it links to. */
interface Abstract {
  readonly levels: (Level | undefined)[]
  styleLink?: string
}

/** A level without a label, for levels that a list does not define. */
const emptyLevel: Level = {
  start: 1,
  format: 'none',
  text: '',
  suffix: 'nothing',
  align: 'left',
  legal: false,
  paragraph: {},
  run: {},
}

/** Returns the name in Document.media for a relationship id of the numbering part. */
export type MediaOf = (relationship: string) => string | undefined

/**
 * Reads word/numbering.xml (ECMA-376-1 17.9): each w:num with its overrides applied to its w:abstractNum. A
 * definition that refers to a list style (w:numStyleLink) is resolved through `styles`. Returns the lists by
 * w:numId.
 */
export function readNumbering(
  xml: string,
  theme: Theme,
  styles: StyleSheet,
  mediaOf: MediaOf,
): Map<string, Numbering> {
  const lists = new Map<string, Numbering>()
  const cursor = new XmlCursor(xml, wordVocabulary)
  if (!cursor.root()) return lists
  const abstracts = new Map<string, Abstract>()
  const pictures = new Map<string, Pick<Level, 'picture' | 'pictureSize'>>()
  const numbers: {
    id: string
    abstract: string
    overrides: Map<number, { start?: number; level?: Level }>
  }[] = []
  cursor.each((name) => {
    if (name === 'w:abstractNum') readAbstract(cursor, theme, abstracts, pictures)
    else if (name === 'w:numPicBullet') readPicture(cursor, pictures, mediaOf)
    else if (name === 'w:num' && numbers.length < 50_000) {
      const id = cursor.attribute('w:numId')
      let abstract = ''
      const overrides = new Map<number, { start?: number; level?: Level }>()
      cursor.each((child) => {
        if (child === 'w:abstractNumId') abstract = val(cursor) ?? ''
        else if (child === 'w:lvlOverride') readOverride(cursor, theme, overrides, pictures)
      })
      if (id !== undefined) numbers.push({ id, abstract, overrides })
    }
  })
  const abstractOf = new Map(numbers.map((number) => [number.id, number.abstract]))
  for (const number of numbers) {
    const target = followLinks(number.abstract, abstracts, abstractOf, styles)
    const base = abstracts.get(target)
    const levels: Level[] = []
    // A level that is only replaced continues the count of the other lists of its definition.
    const starts = new Map<number, number>()
    for (let i = 0; i < 9; i++) {
      const override = number.overrides.get(i)
      levels.push(override?.level ?? base?.levels[i] ?? emptyLevel)
      if (override?.start !== undefined) starts.set(i, override.start)
    }
    lists.set(number.id, { counters: target, levels, starts: starts.size > 0 ? starts : undefined })
  }
  return lists
}

/**
 * Follows w:numStyleLink to the w:abstractNum that defines the levels. The number of steps is limited,
 * because links may form a cycle.
 */
function followLinks(
  from: string,
  abstracts: ReadonlyMap<string, Abstract>,
  abstractOf: ReadonlyMap<string, string>,
  styles: StyleSheet,
): string {
  let at = from
  for (let step = 0; step < 8; step++) {
    const link = abstracts.get(at)?.styleLink
    const list = link === undefined ? undefined : styles.styles.get(link)?.paragraph.list?.list
    const next = list === undefined ? undefined : abstractOf.get(list)
    if (next === undefined || next === at) return at
    at = next
  }
  return at
}

function readAbstract(
  cursor: XmlCursor,
  theme: Theme,
  abstracts: Map<string, Abstract>,
  pictures: ReadonlyMap<string, Pick<Level, 'picture' | 'pictureSize'>>,
): void {
  const id = cursor.attribute('w:abstractNumId')
  const abstract: Abstract = { levels: [] }
  cursor.each((name) => {
    if (name === 'w:numStyleLink') abstract.styleLink = val(cursor)
    else if (name === 'w:lvl') {
      const index = integer(cursor.attribute('w:ilvl')) ?? -1
      if (index >= 0 && index <= 8) abstract.levels[index] = readLevel(cursor, theme, pictures)
    }
  })
  if (id !== undefined) abstracts.set(id, abstract)
}

/** w:lvlOverride (17.9.8). */
function readOverride(
  cursor: XmlCursor,
  theme: Theme,
  overrides: Map<number, { start?: number; level?: Level }>,
  pictures: ReadonlyMap<string, Pick<Level, 'picture' | 'pictureSize'>>,
): void {
  const index = integer(cursor.attribute('w:ilvl')) ?? -1
  // A second override of a level adds to the first: LibreOffice writes the second of a pair empty.
  const override = { ...overrides.get(index) }
  cursor.each((name) => {
    if (name === 'w:startOverride') override.start = integer(val(cursor))
    else if (name === 'w:lvl') override.level = readLevel(cursor, theme, pictures)
  })
  if (index >= 0 && index <= 8) overrides.set(index, override)
}

/** w:lvl (17.9.6). */
function readLevel(
  cursor: XmlCursor,
  theme: Theme,
  pictures: ReadonlyMap<string, Pick<Level, 'picture' | 'pictureSize'>>,
): Level {
  const level: Writable<Level> = { ...emptyLevel, start: 0, format: 'decimal', suffix: 'tab' }
  cursor.each((name) => {
    switch (name) {
      case 'w:start':
        level.start = integer(val(cursor)) ?? 0
        break
      case 'w:numFmt':
        level.format = numberFormat(val(cursor), cursor.attribute('w:format'))
        break
      case 'w:lvlText':
        level.text = val(cursor) ?? ''
        break
      case 'w:suff':
        level.suffix = suffix(val(cursor))
        break
      case 'w:lvlJc':
        level.align = align(val(cursor))
        break
      case 'w:lvlRestart':
        level.restartAfter = integer(val(cursor))
        break
      case 'w:isLgl':
        level.legal = onOff(cursor)
        break
      case 'w:pStyle':
        level.paragraphStyle = val(cursor)
        break
      case 'w:pPr':
        level.paragraph = readParagraphProperties(cursor, theme).properties
        break
      case 'w:rPr':
        level.run = readRunProperties(cursor, theme)
        break
      case 'w:lvlPicBulletId':
        Object.assign(level, pictures.get(val(cursor) ?? ''))
        break
    }
  })
  // Observed in LibreOffice: a bullet without a character has no label and no gap before the text.
  if (level.format === 'bullet' && level.text === '' && level.picture === undefined) level.suffix = 'nothing'
  return level
}

/** The format of w:numFmt (17.9.17): a custom one is written as the start of its series, such as "001, 002, 003, ...". */
const numberFormat = (name: string | undefined, series: string | undefined): string =>
  (name === 'custom' ? paddedFormat(series ?? '') : name) ?? 'decimal'

const suffix = (text: string | undefined): Level['suffix'] =>
  text === 'space' ? 'space' : text === 'nothing' ? 'nothing' : 'tab'
const align = (text: string | undefined): Level['align'] =>
  text === 'right' || text === 'end' ? 'right' : text === 'center' ? 'center' : 'left'

/** w:numPicBullet (17.9.20): a picture used as a bullet, in VML or DrawingML. Its size defaults to 9 pt. */
function readPicture(
  cursor: XmlCursor,
  pictures: Map<string, Pick<Level, 'picture' | 'pictureSize'>>,
  mediaOf: MediaOf,
): void {
  const id = cursor.attribute('w:numPicBulletId')
  if (id === undefined) return
  let width = 9
  let height = 9
  let relationship: string | undefined
  const walk = (name: string): void => {
    if (name === 'v:shape') {
      const style = cursor.attribute('style') ?? ''
      width = length(/(?:^|;)\s*width:([^;]+)/.exec(style)?.[1], 1) ?? width
      height = length(/(?:^|;)\s*height:([^;]+)/.exec(style)?.[1], 1) ?? height
    } else if (name === 'wp:extent') {
      width = emu(cursor.attribute('cx')) ?? width
      height = emu(cursor.attribute('cy')) ?? height
    } else if (name === 'v:imagedata') relationship = cursor.attribute('r:id')
    else if (name === 'a:blip') relationship = cursor.attribute('r:embed')
    cursor.each(walk)
  }
  cursor.each(walk)
  const picture = relationship === undefined ? undefined : mediaOf(relationship)
  if (picture !== undefined) pictures.set(id, { picture, pictureSize: { width, height } })
}
