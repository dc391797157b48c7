import type {
  ChartFormat,
  ChartTitle,
  LabelField,
  Letters,
  ManualLayout,
  TextRun,
} from '../../../document/chart.ts'
import type { Writable } from '../../../document/writable.ts'
import { entryOf } from '../../../entry-of.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { readPaint } from '../colors.ts'
import { readGradient, readPattern } from '../gradient.ts'
import { dashes } from '../line.ts'
import type { Theme } from '../theme.ts'
import { emu, integer, isOn } from '../values.ts'

/** State while one chart part is read. */
export interface OoxmlChartSource {
  readonly cursor: XmlCursor
  readonly theme: Theme
  /** Data points that may still be read. */
  left: number
  /** Features that are not drawn, as phrases for the warning. */
  readonly undrawn: Set<string>
}

/**
 * Maximum number of data points of a chart. Readable charts have dozens; thousands occur in scatter charts of
 * measurements.
 */
export const maxPoints = 20_000

/** The value of the current element. */
export const val = ({ cursor }: OoxmlChartSource): string | undefined => cursor.attribute('val')
/** Reads a switch (CT_Boolean, 21.2.2): without a value it is on. */
export const isSet = ({ cursor }: OoxmlChartSource): boolean => {
  const value = cursor.attribute('val')
  return value === undefined || value === '1' || value === 'true'
}
/** The value of the current element as a number; undefined when it has another form. */
export function numberOf(source: OoxmlChartSource): number | undefined {
  const text = val(source)
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : undefined
}

/** Reads c:spPr (21.2.2.197): fill and line. */
export function readChartFormat(source: OoxmlChartSource): ChartFormat {
  const { cursor, theme } = source
  const format: Writable<ChartFormat> = {}
  cursor.each((name) => {
    switch (name) {
      case 'a:noFill':
        format.fill = 'none'
        break
      case 'a:solidFill': {
        const paint = readPaint(cursor, theme)
        if (paint === undefined) break
        format.fill = paint.color
        if (paint.opacity < 1) format.opacity = paint.opacity
        break
      }
      case 'a:gradFill': {
        const gradient = readGradient(cursor, theme)
        if (gradient !== undefined) format.gradient = gradient
        break
      }
      case 'a:pattFill':
        format.fill = readPattern(cursor, theme)
        source.undrawn.add('its patterns')
        break
      case 'a:blipFill':
        source.undrawn.add('the pictures in its columns')
        break
      case 'a:effectLst':
        cursor.each((effect) => {
          if (effect === 'a:outerShdw' || effect === 'a:innerShdw') source.undrawn.add('its shadows')
          else if (effect === 'a:glow' || effect === 'a:softEdge' || effect === 'a:reflection')
            source.undrawn.add('its glows and soft edges')
        })
        break
      case 'a:ln':
        readLine(source, format)
        break
    }
  })
  return format
}

/** a:ln (20.1.2.2.24). Opacity is shared by fill and line, so that of the line counts only without a fill. */
function readLine({ cursor, theme }: OoxmlChartSource, format: Writable<ChartFormat>): void {
  const width = emu(cursor.attribute('w'))
  if (width !== undefined) format.lineWidth = Math.min(60, Math.max(0, width))
  cursor.each((name) => {
    if (name === 'a:noFill') format.line = 'none'
    else if (name === 'a:solidFill' || name === 'a:gradFill') {
      const paint = name === 'a:solidFill' ? readPaint(cursor, theme) : undefined
      const color =
        paint?.color ?? (name === 'a:gradFill' ? readGradient(cursor, theme)?.stops[0]?.color : undefined)
      if (color !== undefined) format.line = color
      if (paint !== undefined && paint.opacity < 1 && format.fill === undefined)
        format.opacity = paint.opacity
    } else if (name === 'a:prstDash') format.dash = entryOf(dashes, cursor.attribute('val')) ?? 'solid'
  })
}

/** Reads text properties, a:defRPr or a:rPr (21.1.2.3). Font names that begin with '+' refer to the theme. */
function readLetters({ cursor, theme }: OoxmlChartSource): Letters {
  const letters: Writable<Letters> = {}
  const size = integer(cursor.attribute('sz'))
  if (size !== undefined) letters.size = Math.min(400, Math.max(1, size / 100))
  const [bold, italic] = [cursor.attribute('b'), cursor.attribute('i')]
  if (bold !== undefined) letters.bold = isOn(bold)
  if (italic !== undefined) letters.italic = isOn(italic)
  cursor.each((name) => {
    if (name === 'a:solidFill') {
      const paint = readPaint(cursor, theme)
      if (paint !== undefined) letters.color = paint.color
    } else if (name === 'a:latin') {
      const face = cursor.attribute('typeface') ?? ''
      const family = face.startsWith('+')
        ? theme.fonts.get(face.startsWith('+mj') ? 'majorHAnsi' : 'minorHAnsi')
        : face
      if (family !== undefined && family !== '') letters.family = family
    }
  })
  return letters
}

/** Text properties of a whole element, and the rotation of its text. */
export interface TextSet {
  readonly letters: Letters
  /** Degrees, counter-clockwise. */
  readonly rotation?: number
}

/** Reads c:txPr (21.2.2): the default text properties of an element and the rotation of its text. */
export function readTextSet(source: OoxmlChartSource): TextSet {
  const { cursor } = source
  let letters: Letters = {}
  let rotation: number | undefined
  cursor.each((name) => {
    if (name === 'a:bodyPr') rotation = rotationOf(cursor)
    else if (name === 'a:p')
      cursor.each((child) => {
        if (child === 'a:pPr')
          cursor.each((child) => {
            if (child === 'a:defRPr') letters = readLetters(source)
          })
      })
  })
  return { letters, ...(rotation !== undefined && { rotation }) }
}

/**
 * Rotation from a:bodyPr in degrees, counter-clockwise. Office writes -60000000 for automatic rotation, which
 * gives undefined.
 */
function rotationOf(cursor: XmlCursor): number | undefined {
  const vertical = cursor.attribute('vert')
  const rotation = integer(cursor.attribute('rot'))
  if (rotation !== undefined && Math.abs(rotation) < 21_600_000) {
    if (rotation === 0 && vertical === 'vert270') return 90
    return rotation === 0 ? 0 : -rotation / 60_000
  }
  return vertical === 'vert270' ? 90 : vertical === 'vert' ? -90 : undefined
}

/**
 * Reads c:layout (21.2.2.88) as shares of the chart; undefined when it is automatic. `moved`: x and y are
 * offsets from the automatic position rather than from the edge.
 */
export function readLayout(
  source: OoxmlChartSource,
): (ManualLayout & { readonly moved: boolean }) | undefined {
  const { cursor } = source
  const layout: { x?: number; y?: number; w?: number; h?: number } = {}
  let inner = false as boolean
  let edge = false
  let ends = false
  cursor.each((name) => {
    if (name !== 'c:manualLayout') return
    cursor.each((child) => {
      if (child === 'c:layoutTarget') inner = val(source) === 'inner'
      else if (child === 'c:xMode') edge = val(source) === 'edge'
      else if (child === 'c:wMode' || child === 'c:hMode') ends ||= val(source) === 'edge'
      else if (child === 'c:x' || child === 'c:y' || child === 'c:w' || child === 'c:h') {
        const value = numberOf(source)
        if (value !== undefined && Math.abs(value) <= 10) layout[child.slice(2) as 'x'] = value
      }
    })
  })
  if (layout.x === undefined && layout.y === undefined) return undefined
  const { x = 0, y = 0, w, h } = layout
  const size = (value: number, from: number): number => Math.max(0.01, ends ? value - from : value)
  return {
    x,
    y,
    ...(w !== undefined && { width: size(w, x) }),
    ...(h !== undefined && { height: size(h, y) }),
    ...(inner && { inner }),
    moved: !edge,
  }
}

/** Maximum number of text runs in one title or label. */
const maxRuns = 200

/** The types of fields (a:fld, 21.1.2.2.4) in data labels. Observed in files of Excel. */
const labelFields: Readonly<Record<string, LabelField>> = {
  VALUE: 'value',
  YVALUE: 'value',
  CATEGORYNAME: 'category',
  XVALUE: 'category',
  SERIESNAME: 'series',
  PERCENTAGE: 'share',
  CELLRANGE: 'cell',
}

/** Reads the paragraphs of c:rich (21.2.2.156) as lines of runs. */
export function readRich(source: OoxmlChartSource): { lines: TextRun[][]; rotation?: number } {
  const { cursor } = source
  const lines: TextRun[][] = []
  let rotation: number | undefined
  let left = maxRuns
  const paragraph = (): void => {
    let defaultLetters: Letters = {}
    let line: TextRun[] = []
    lines.push(line)
    cursor.each((name) => {
      if (name === 'a:pPr')
        cursor.each((child) => {
          if (child === 'a:defRPr') defaultLetters = readLetters(source)
        })
      else if (name === 'a:br') {
        line = []
        lines.push(line)
      } else if (name === 'a:r' || name === 'a:fld') {
        let letters = defaultLetters
        const field = name === 'a:fld' ? entryOf(labelFields, cursor.attribute('type')) : undefined
        cursor.each((element) => {
          if (element === 'a:rPr') letters = { ...defaultLetters, ...readLetters(source) }
          else if (element === 'a:t' && --left >= 0)
            line.push({
              text: cursor.text().slice(0, 2000),
              letters,
              ...(field !== undefined && { field }),
            })
        })
      }
    })
  }
  cursor.each((name) => {
    if (name === 'a:bodyPr') rotation = rotationOf(cursor)
    else if (name === 'a:p' && lines.length < 20) paragraph()
  })
  return { lines, ...(rotation !== undefined && { rotation }) }
}

/** A title as it is declared. `isAutomatic`: it has no text of its own, so that its lines are `automatic`. */
export interface DeclaredTitle {
  readonly title: ChartTitle
  readonly isAutomatic: boolean
}

/**
 * Reads c:title (21.2.2.210). A title without text of its own shows `automatic` in its formatting, as Word and LibreOffice do;
 * undefined for one whose text is empty.
 */
export function readTitle(source: OoxmlChartSource, automatic: string): DeclaredTitle | undefined {
  const { cursor } = source
  const title: Writable<ChartTitle> = { lines: [] }
  let set: TextSet = { letters: {} }
  let typeface: string | undefined
  let hasText = false
  cursor.each((name) => {
    if (name === 'c:tx') {
      hasText = true
      cursor.each((child) => {
        if (child === 'c:rich') Object.assign(title, readRich(source))
        else if (child === 'c:strRef') typeface = readText(source)
      })
    } else if (name === 'c:layout') {
      const manualLayout = readLayout(source)
      if (manualLayout !== undefined && !manualLayout.moved)
        title.layout = { x: manualLayout.x, y: manualLayout.y }
    } else if (name === 'c:overlay') title.overlay = isSet(source)
    else if (name === 'c:spPr') title.formatting = readChartFormat(source)
    else if (name === 'c:txPr') set = readTextSet(source)
  })
  if (title.rotation === undefined && set.rotation !== undefined) title.rotation = set.rotation
  if (title.lines.every((line) => line.length === 0)) {
    const text = hasText ? (typeface ?? '') : automatic
    if (text === '') return undefined
    title.lines = text.split('\n').map((line) => [{ text: line, letters: set.letters }])
  }
  return { title, isAutomatic: !hasText }
}

/** Collects all text inside the current element, one line for each paragraph. Formulas (c:f) are skipped. */
export function readText({ cursor }: OoxmlChartSource, onFormula?: (formula: string) => void): string {
  const lines: string[] = []
  const visit = (name: string): void => {
    if (name === 'a:p') lines.push('')
    if (name === 'a:t' || name === 'c:v') {
      const text = cursor.text()
      lines[Math.max(0, lines.length - 1)] =
        (lines.at(-1) ?? '') + (name === 'c:v' && lines.at(-1) ? ' ' : '') + text
    } else if (name === 'c:f') onFormula?.(cursor.text())
    else cursor.each(visit)
  }
  cursor.each(visit)
  return lines.join('\n').trim()
}
