/**
 * Form controls of sheets: check boxes, option buttons, buttons, labels, group boxes, drop-downs, lists, text fields, spinners and scroll
 * bars. They are read from the VML part that Excel writes for each of them in all of its versions (x:ClientData,
 * ECMA-376-4 19.4.2); `ctrlProps` parts repeat their state.
 */
import type { Block, Inline } from '../../../../shared/document/content.ts'
import type { Drawing, Geometry, GroupChild, Shape, ShapeText } from '../../../../shared/document/drawing.ts'
import type { RunProperties } from '../../../../shared/document/properties.ts'
import type { SheetCorner, SheetDrawing } from '../../../../shared/document/sheet.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { wordVocabulary } from '../../../../shared/office/ooxml/vocabulary.ts'
import { maxColumns, maxRows } from '../../../../shared/office/sheet/reference.ts'
import { XmlCursor } from '../../../../shared/xml/cursor.ts'

const maxControls = 5_000
const maxText = 10_000
/** One pixel of an anchor, in points. */
const pixel = 0.75
/** The size of a cell of a new workbook, in points. */
const usualCell = { width: 48, height: 15 }

const kinds = new Map<string | undefined, ControlKind>([
  ['Button', 'button'],
  ['Checkbox', 'check'],
  ['Radio', 'option'],
  ['Label', 'label'],
  ['GBox', 'group'],
  ['Drop', 'drop'],
  ['List', 'list'],
  ['Edit', 'field'],
  ['EditBox', 'field'],
  ['Spin', 'spin'],
  ['Scroll', 'scroll'],
])
type ControlKind =
  | 'button'
  | 'check'
  | 'option'
  | 'label'
  | 'group'
  | 'drop'
  | 'list'
  | 'field'
  | 'spin'
  | 'scroll'

interface Control {
  kind?: ControlKind
  from?: SheetCorner
  to?: SheetCorner
  isPrinted: boolean
  isChecked: boolean
  isMixed: boolean
  across: 'left' | 'center' | 'right'
  down: ShapeText['align']
  width: number
  height: number
  readonly runs: { readonly text: string; readonly run: RunProperties }[]
  /** The cells with the entries, and the number of the selected one, from 1. */
  range?: string
  selected: number
  /** The text of the selected entry. */
  readonly inlines: Inline[]
}

/** The entry that a drop-down shows: the cell with this index, from 0, of a range in A1 notation. Its text belongs into `inlines`. */
export interface Choice {
  readonly range: string
  readonly index: number
  readonly inlines: Inline[]
}

/** What a VML part has of controls: whether it has any, printed or not, and objects that are none of them, such as those of ActiveX. */
export interface ReadControls {
  readonly drawings: readonly SheetDrawing[]
  readonly choices: readonly Choice[]
  readonly found: boolean
  readonly unread: boolean
}

/** Reads the controls of a VML part. Throws XmlFault if its markup is damaged. */
export function readControls(vml: string): ReadControls {
  const drawings: SheetDrawing[] = []
  const choices: Choice[] = []
  let [found, unread] = [false, false]
  const cursor = new XmlCursor(vml, wordVocabulary)
  if (!cursor.root()) return { drawings, choices, found, unread }
  cursor.each((name) => {
    if (name !== 'v:shape') return
    const { control, object } = readShape(cursor)
    unread ||= object !== undefined && object !== 'Note' && !kinds.has(object)
    const { kind, from, to } = control
    found ||= kind !== undefined
    if (kind === undefined || from === undefined || to === undefined || !control.isPrinted) return
    if (drawings.length >= maxControls) return
    drawings.push({ from, to, drawing: drawingOf(kind, control) })
    const { range, selected, inlines } = control
    if (kind === 'drop' && range !== undefined && selected > 0)
      choices.push({ range, index: selected - 1, inlines })
  })
  return { drawings, choices, found, unread }
}

function readShape(cursor: XmlCursor): { readonly control: Control; readonly object: string | undefined } {
  const style = cursor.attribute('style') ?? ''
  const size = (name: string): number => {
    const value = Number(new RegExp(`(?:^|;)\\s*${name}:([\\d.]+)pt`).exec(style)?.[1])
    return value >= 1 ? Math.min(5_000, value) : 0
  }
  const control: Control = {
    width: size('width'),
    height: size('height'),
    isPrinted: true,
    isChecked: false,
    isMixed: false,
    across: 'left',
    down: 'center',
    runs: [],
    selected: 0,
    inlines: [],
  }
  let object: string | undefined
  cursor.each((name) => {
    if (name === 'v:textbox') readText(cursor, control)
    else if (name === 'x:ClientData') {
      object = cursor.attribute('ObjectType')
      readClientData(cursor, control)
    }
  })
  return { control, object }
}

/** x:ClientData (ECMA-376-4 19.4.2.12). */
function readClientData(cursor: XmlCursor, control: Control): void {
  const kind = kinds.get(cursor.attribute('ObjectType'))
  if (kind !== undefined) control.kind = kind
  if (kind === 'group') control.down = 'top'
  if (kind === 'button') control.across = 'center'
  cursor.each((name) => {
    const text = cursor.text().trim()
    switch (name) {
      case 'x:Anchor':
        readAnchor(text, control)
        break
      case 'x:PrintObject':
        control.isPrinted = text.toLowerCase() !== 'false'
        break
      case 'x:Checked':
        control.isChecked = text === '1'
        control.isMixed = text === '2'
        break
      case 'x:FmlaRange':
        control.range = text
        break
      case 'x:Sel':
        control.selected = Number(text)
        break
      case 'x:TextHAlign':
        control.across = /center/i.test(text) ? 'center' : /right/i.test(text) ? 'right' : 'left'
        break
      case 'x:TextVAlign':
        control.down = /top/i.test(text) ? 'top' : /bottom/i.test(text) ? 'bottom' : 'center'
        break
    }
  })
}

/**
 * x:Anchor (19.4.2.2): the column, pixels in it, row and pixels in it, of the top left and of the bottom right, and the size that the
 * place has where cells are of the usual size, in points. Undefined for anything else.
 */
export function anchorOf(
  text: string,
):
  | { readonly from: SheetCorner; readonly to: SheetCorner; readonly width: number; readonly height: number }
  | undefined {
  const numbers = text.split(',', 8).map(Number)
  if (numbers.length < 8 || numbers.some((number) => !(number >= 0))) return undefined
  const corner = (at: number): SheetCorner => ({
    column: Math.min(maxColumns - 1, Math.floor(numbers[at] ?? 0)),
    x: Math.min(10_000, numbers[at + 1] ?? 0) * pixel,
    row: Math.min(maxRows - 1, Math.floor(numbers[at + 2] ?? 0)),
    y: Math.min(10_000, numbers[at + 3] ?? 0) * pixel,
  })
  const [from, to] = [corner(0), corner(4)]
  return {
    from,
    to,
    width: Math.max(1, (to.column - from.column) * usualCell.width + to.x - from.x),
    height: Math.max(1, (to.row - from.row) * usualCell.height + to.y - from.y),
  }
}

function readAnchor(text: string, control: Control): void {
  const anchor = anchorOf(text)
  if (anchor === undefined) return
  control.from = anchor.from
  control.to = anchor.to
  // Without a size of its own, the control has that of its place.
  if (control.width === 0) control.width = anchor.width
  if (control.height === 0) control.height = anchor.height
}

/** The text of v:textbox, which is HTML: elements `font` have the face, the size in twentieths of a point and the colour. */
function readText(cursor: XmlCursor, control: Control): void {
  let left = maxText
  const visit = (run: RunProperties): void =>
    cursor.each(
      (name) => {
        const local = name.slice(name.indexOf(':') + 1).toLowerCase()
        const next: Writable<RunProperties> = { ...run }
        if (local === 'font') {
          const face = cursor.attribute('face')
          const size = Number(cursor.attribute('size')) / 20
          const color = /^#([0-9a-f]{6})$/i.exec(cursor.attribute('color') ?? '')?.[1]
          if (face !== undefined) next.fonts = { ascii: face, other: face, eastAsia: face, complex: face }
          if (size > 0 && size <= 400) next.size = size
          if (color !== undefined) next.color = color.toUpperCase()
        } else if (local === 'b') next.bold = true
        else if (local === 'i') next.italic = true
        else if (local === 'u') next.underline = { style: 'single' }
        else if (local === 'br') control.runs.push({ text: '\n', run })
        visit(next)
      },
      (text) => {
        const words = text.replace(/\s+/g, ' ').slice(0, left)
        left -= words.length
        if (words.trim() !== '') control.runs.push({ text: words, run })
      },
    )
  visit({})
}

const ink = '000000'
const edge = '808080'
const face = 'E1E1E1'
const paper = 'FFFFFF'
/** The side of the mark of a check box or an option button, and the space that it takes from the label, in points. */
const side = 9
const marked = 13

const line = (width: number, color = edge) => ({ color, width, dash: 'solid' }) as const
const framed = (fill: string | undefined): Partial<Shape> => ({
  ...(fill !== undefined && { fill }),
  stroke: line(0.75),
})
const preset = (name: string): Geometry => ({ kind: 'preset', name, adjust: new Map() })
const placed = (
  [x, y, width, height]: readonly [x: number, y: number, width: number, height: number],
  shape: Partial<Shape>,
  geometry = preset('rect'),
): GroupChild => ({
  x,
  y,
  drawing: { width, height, rotation: 0, content: { kind: 'shape', geometry, ...shape } },
})

/** The drawing of a control, whose parts are laid out in the size that the file stores and scaled to its anchor. */
function drawingOf(kind: ControlKind, control: Control): Drawing {
  const { width, height } = control
  const content = { kind: 'group', children: partsOf(kind, control) } as const
  return { width, height, rotation: 0, content }
}

function partsOf(kind: ControlKind, control: Control): GroupChild[] {
  const { width, height, isChecked, isMixed } = control
  const bounds = [0, 0, width, height] as const
  const label = (left: number): Partial<Shape> => ({ text: labelOf(control, left) })
  const middle = (height - side) / 2
  switch (kind) {
    case 'button':
      return [placed(bounds, { ...framed(face), ...label(2) })]
    case 'label':
      return [placed(bounds, label(1))]
    case 'group': {
      const top = Math.min(6, height / 2)
      return [placed([0, top, width, height - top], framed(undefined)), placed(bounds, label(8))]
    }
    case 'check':
      return [
        placed(bounds, label(marked)),
        placed([2, middle, side, side], framed(isMixed ? 'C0C0C0' : paper)),
        ...(isChecked ? [placed([2, middle, side, side], { stroke: line(1.25, ink) }, tick)] : []),
      ]
    case 'option':
      return [
        placed(bounds, label(marked)),
        placed([2, middle, side, side], framed(paper), preset('ellipse')),
        ...(isChecked
          ? [placed([2 + side / 4, middle + side / 4, side / 2, side / 2], { fill: ink }, preset('ellipse'))]
          : []),
      ]
    case 'drop': {
      const button = Math.min(height, 13, width)
      return [
        placed(bounds, { ...framed(paper), ...label(2) }),
        placed([width - button, 0, button, height], framed(face)),
        arrow([width - button * 0.7, height / 2 - 2, button * 0.4, 4]),
      ]
    }
    case 'spin':
    case 'scroll': {
      const isWide = width > height
      const end = Math.min(isWide ? width / 2 : height / 2, 13)
      const ends = isWide
        ? ([
            [0, 0, end, height],
            [width - end, 0, end, height],
          ] as const)
        : ([
            [0, 0, width, end],
            [0, height - end, width, end],
          ] as const)
      return [placed(bounds, framed('F0F0F0')), ...ends.map((place) => placed(place, framed(face)))]
    }
    default:
      return [placed(bounds, { ...framed(paper), ...label(2) })]
  }
}

const tick: Geometry = {
  kind: 'path',
  segments: [
    { kind: 'move', points: [0.2, 0.5] },
    { kind: 'line', points: [0.42, 0.75] },
    { kind: 'line', points: [0.82, 0.25] },
  ],
}

const arrow = (place: readonly [number, number, number, number]): GroupChild =>
  placed(place, { fill: ink }, preset('flowChartMerge'))

/** The text of a control; `left`: the space between its edge and the text, in points. */
function labelOf({ kind, runs, inlines, across, down }: Control, left: number): ShapeText {
  const paragraphs: Control['runs'][] = [[]]
  for (const run of runs)
    if (run.text === '\n') paragraphs.push([])
    else paragraphs.at(-1)?.push(run)
  const blocks = paragraphs.map(
    (list): Block => ({
      kind: 'paragraph',
      properties: { align: across === 'left' ? 'start' : across === 'right' ? 'end' : 'center' },
      mark: {},
      inlines: kind === 'drop' ? inlines : list.map(({ text, run }) => ({ kind: 'text', text, run })),
    }),
  )
  return {
    blocks,
    insets: { left, top: 0, right: 1, bottom: 0 },
    align: down,
    grows: false,
    direction: 'horizontal',
    wraps: true,
  }
}
