import type { Level } from '../../../document/numbering.ts'
import type { ParagraphProperties, RunProperties } from '../../../document/properties.ts'
import { entryOf } from '../../../entry-of.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { integer, length, percent } from '../values.ts'
import { counterFormat } from './counters.ts'
import { type FaceNames, readTextProperties } from './text-properties.ts'

/** A level whose label may have a size that is a share of that of its text. */
export interface ListLevel extends Level {
  readonly relativeSize?: number
}

/** A list style with ten levels. */
export interface ListStyle {
  readonly levels: readonly ListLevel[]
}

/** text:label-followed-by (19.831), with the line break that LibreOffice adds; a tab is the default. */
const suffixes: Readonly<Record<string, Level['suffix']>> = {
  space: 'space',
  nothing: 'nothing',
  newline: 'newline',
}

/** A level that the style does not define. */
const empty: ListLevel = {
  start: 1,
  format: 'none',
  text: '',
  suffix: 'nothing',
  align: 'left',
  legal: false,
  paragraph: {},
  run: {},
}

/** Reads text:list-style or text:outline-style (ODF 1.3 part 3, 16.30-16.34). */
export function readListStyle(cursor: XmlCursor, faces: FaceNames): ListStyle {
  const levels: ListLevel[] = Array.from({ length: 10 }, () => empty)
  cursor.each((name) => {
    const index = (integer(cursor.attribute('text:level')) ?? 0) - 1
    if (index >= 0 && index < 10) levels[index] = readLevel(cursor, name, index, faces)
  })
  return { levels }
}

/** Reads one level; `kind` is the name of its element: number, bullet or image. */
function readLevel(cursor: XmlCursor, kind: string, index: number, faces: FaceNames): ListLevel {
  const isBullet = kind === 'text:list-level-style-bullet'
  const format = isBullet || kind === 'text:list-level-style-image' ? 'bullet' : counterFormat(cursor, 'none')
  const prefix = cursor.attribute('style:num-prefix') ?? ''
  const suffixText = cursor.attribute('style:num-suffix') ?? ''
  const shown = Math.max(1, Math.min(index + 1, integer(cursor.attribute('text:display-levels')) ?? 1))
  const numbers = Array.from({ length: shown }, (_, i) => `%${index + 2 - shown + i}`).join('.')
  const text =
    kind === 'text:list-level-style-image'
      ? ''
      : isBullet
        ? // Observed in LibreOffice: prefix and suffix are not shown around bullets.
          (cursor.attribute('text:bullet-char') ?? '\u2022')
        : format === 'none'
          ? prefix + suffixText
          : prefix + numbers + suffixText
  const start = integer(cursor.attribute('text:start-value')) ?? 1
  const named = cursor.attribute('text:style-name')
  let run: RunProperties = {}
  let relativeSize: number | undefined
  let labelLayout: Pick<Level, 'paragraph' | 'suffix' | 'align' | 'addsIndent' | 'labelGap'> = {
    paragraph: {},
    suffix: 'tab',
    align: 'left',
  }
  const picture =
    kind === 'text:list-level-style-image' ? cursor.attribute('xlink:href')?.replace(/^\.\//, '') : undefined
  let pictured: Pick<Level, 'picture' | 'pictureSize' | 'picturePlace'> = {}
  cursor.each((child) => {
    if (child === 'style:list-level-properties' && picture !== undefined)
      pictured = readPicture(cursor, picture)
    if (child === 'style:text-properties') {
      run = readTextProperties(cursor, faces)
      relativeSize = percent(cursor.attribute('fo:font-size'))
    } else if (child === 'style:list-level-properties') labelLayout = readLabelLayout(cursor)
  })
  if (named !== undefined) run = { style: `text/${named}`, ...run }
  return {
    start,
    format,
    text,
    legal: false,
    run,
    ...labelLayout,
    ...pictured,
    ...(relativeSize !== undefined && relativeSize > 0 && { relativeSize }),
    suffix: text === '' && picture === undefined ? 'nothing' : labelLayout.suffix,
  }
}

/** Margin on all sides of a picture used as a bullet, pt (observed in LibreOffice). */
const pictureMargin = 0.5

/** Size and alignment of a picture used as a bullet (20.421, 20.422). */
function readPicture(
  cursor: XmlCursor,
  picture: string,
): Pick<Level, 'picture' | 'pictureSize' | 'picturePlace'> {
  const width = length(cursor.attribute('fo:width')) ?? 0
  const height = length(cursor.attribute('fo:height')) ?? 0
  if (width <= 0 || height <= 0) return {}
  const vertical = cursor.attribute('style:vertical-pos')
  const extent = { top: pictureMargin, right: pictureMargin, bottom: pictureMargin, left: pictureMargin }
  const lineAlign = vertical === 'top' ? 'top' : vertical === 'middle' ? 'center' : 'bottom'
  const isOnBaseline = cursor.attribute('style:vertical-rel') === 'baseline' || vertical === undefined
  return {
    picture,
    pictureSize: { width, height },
    picturePlace: isOnBaseline ? { extent } : { extent, lineAlign },
  }
}

/**
 * Indents of a level: style:list-level-label-alignment (17.20), or the older attributes of
 * style:list-level-properties (17.19).
 */
function readLabelLayout(
  cursor: XmlCursor,
): Pick<Level, 'paragraph' | 'suffix' | 'align' | 'addsIndent' | 'labelGap'> {
  const aligned = cursor.attribute('fo:text-align')
  const align = aligned === 'end' || aligned === 'right' ? 'right' : aligned === 'center' ? 'center' : 'left'
  const before = length(cursor.attribute('text:space-before')) ?? 0
  const width = length(cursor.attribute('text:min-label-width')) ?? 0
  // In the older positioning mode the text starts after the minimum width of the label, or directly after the
  // label when that is 0.
  let suffix: Level['suffix'] = width > 0 ? 'tab' : 'nothing'
  let addsIndent = true
  const labelGap = length(cursor.attribute('text:min-label-distance'))
  let paragraph: ParagraphProperties = { indent: { start: before + width, first: -width } }
  cursor.each((name) => {
    if (name !== 'style:list-level-label-alignment') return
    addsIndent = false
    const followed = cursor.attribute('text:label-followed-by')
    suffix = entryOf(suffixes, followed) ?? 'tab'
    const start = length(cursor.attribute('fo:margin-left')) ?? 0
    const stop = length(cursor.attribute('text:list-tab-stop-position'))
    paragraph = {
      indent: { start, first: length(cursor.attribute('fo:text-indent')) ?? 0 },
      tabs: stop === undefined ? undefined : [{ at: stop, align: 'left', leader: 'none' }],
    }
    if (stop === undefined) paragraph = { indent: paragraph.indent! }
  })
  return {
    paragraph,
    suffix,
    align,
    addsIndent,
    ...(addsIndent && labelGap !== undefined && labelGap > 0 && { labelGap }),
  }
}
