import type {
  CellFont,
  HeaderLine,
  HeaderRun,
  HeaderText,
  SheetHeader,
} from '../../../../shared/document/sheet.ts'
import { rgb } from './colors.ts'

/** The maximum length of a header (18.3.1.46 allows 255 characters, but font codes make it longer). */
const maxLength = 2_000
const codes: Readonly<Record<string, HeaderText>> = {
  N: { kind: 'pages' },
  A: { kind: 'sheet' },
  F: { kind: 'file' },
  D: { kind: 'date' },
  T: { kind: 'time' },
}
const sections: Readonly<Record<string, keyof SheetHeader>> = { L: 'left', C: 'center', R: 'right' }

/**
 * Parses a header with its codes (ECMA-376-1 18.3.1.46). Text before the first section is centred. A path ('&Z') and a
 * picture ('&G') are omitted.
 */
export function readHeader(source: string, defaultFont: CellFont): SheetHeader {
  const header = { left: [[]], center: [[]], right: [[]] } as Record<keyof SheetHeader, HeaderRun[][]>
  const text = source.slice(0, maxLength)
  let lines = header.center
  let font = defaultFont
  const add = (part: HeaderText): void => {
    const line = lines.at(-1)
    const last = line?.at(-1)
    if (part.kind === 'text' && last?.text.kind === 'text' && last.font === font)
      line?.splice(-1, 1, { font, text: { kind: 'text', text: last.text.text + part.text } })
    else line?.push({ font, text: part })
  }
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at)
    if (character === '\n' || character === '\r') {
      if (character === '\n' || text.charAt(at + 1) !== '\n') lines.push([])
      at++
      continue
    }
    if (character !== '&') {
      add({ kind: 'text', text: character })
      at++
      continue
    }
    const code = text.charAt(at + 1)
    const section = sections[code]
    const simple = codes[code]
    at += 2
    if (section !== undefined) {
      lines = header[section]
      font = defaultFont
    } else if (simple !== undefined) add(simple)
    else if (code === '&') add({ kind: 'text', text: '&' })
    else if (code === 'P') {
      const more = /^[+-]\d{1,5}/.exec(text.slice(at, at + 6))?.[0] ?? ''
      add({ kind: 'page', add: Number(more) })
      at += more.length
    } else if (code === '"') {
      const end = text.indexOf('"', at)
      if (end < 0) break
      font = withFace(font, text.slice(at, end), defaultFont)
      at = end + 1
    } else if (code === 'K') {
      const color = rgb(text.slice(at, at + 6))
      font = color === undefined ? font : { ...font, color }
      // Theme colours are an index and a tint, such as '01+000'.
      at += color === undefined ? (/^\d\d[+-]\d{3}/.exec(text.slice(at, at + 6))?.[0].length ?? 0) : 6
    } else if (/\d/.test(code)) {
      const digits = /^\d{1,3}/.exec(text.slice(at - 1, at + 2))?.[0] ?? ''
      font = { ...font, size: Math.min(409, Math.max(1, Number(digits))) }
      at += digits.length - 1
    } else font = switched(font, code)
  }
  return { left: closed(header.left), center: closed(header.center), right: closed(header.right) }
}

const closed = (lines: readonly HeaderRun[][]): readonly HeaderLine[] =>
  lines.length === 1 && lines[0]?.length === 0 ? [] : lines

/** '&"Face,Style"'. The face '-' is the default font. */
function withFace(font: CellFont, name: string, defaultFont: CellFont): CellFont {
  const [family = '', style = ''] = name.split(',')
  return {
    ...font,
    family: family === '-' || family === '' ? defaultFont.family : family,
    bold: /bold/i.test(style),
    italic: /italic|oblique/i.test(style),
  }
}

/** The codes that toggle a property. */
function switched(font: CellFont, code: string): CellFont {
  const { underline, script, ...otherProperties } = font
  switch (code) {
    case 'B':
      return { ...font, bold: font.bold !== true }
    case 'I':
      return { ...font, italic: font.italic !== true }
    case 'S':
      return { ...font, strike: font.strike !== true }
    case 'U':
      return underline === undefined
        ? { ...font, underline: 'single' }
        : { ...otherProperties, ...(script && { script }) }
    case 'E':
      return underline === undefined
        ? { ...font, underline: 'double' }
        : { ...otherProperties, ...(script && { script }) }
    case 'X':
    case 'Y': {
      const requested = code === 'X' ? 'super' : 'sub'
      const rest: CellFont = { ...otherProperties, ...(underline && { underline }) }
      return script === requested ? rest : { ...rest, script: requested }
    }
    default:
      return font
  }
}
