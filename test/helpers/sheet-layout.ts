/** Workbooks of one small sheet, laid out, for the tests of `layout/sheet/`. */
import type { Frame, Page } from '../../plugins/engines/instant/layout/frame.ts'
import { layoutWorkbook } from '../../plugins/engines/instant/layout/sheet/layout-workbook.ts'
import type {
  Cell,
  CellAlignment,
  CellFormat,
  CellValue,
  Sheet,
  SheetPage,
  Workbook,
} from '../../shared/document/sheet.ts'
import type { Warning } from '../../shared/plugin/values.ts'
import { shippedBook } from './instant-fonts.ts'

export const font = { family: 'Liberation Sans', size: 10 }
export const align: CellAlignment = {
  across: 'general',
  down: 'bottom',
  wrap: false,
  shrink: false,
  indent: 0,
  rotation: 0,
}
export const plain: CellFormat = { font, number: 'General', borders: {}, align }
export const page: SheetPage = {
  areas: [],
  width: 220,
  height: 120,
  margins: { left: 10, right: 10, top: 10, bottom: 10, header: 5, footer: 5 },
  scale: { factor: 1 },
  order: 'down',
  rowBreaks: [],
  columnBreaks: [],
  centerAcross: false,
  centerDown: false,
  gridLines: false,
  headings: false,
}

export interface SheetSpec extends Partial<Omit<Sheet, 'rows' | 'page'>> {
  readonly cells: readonly (readonly [
    row: number,
    column: number,
    value: CellValue | undefined,
    format?: number,
  ])[]
  readonly page?: Partial<SheetPage>
}

/** A workbook of one sheet with columns of 50 pt and rows of 20 pt. */
export function workbookOf(
  { cells, page: own, ...others }: SheetSpec,
  formats: readonly CellFormat[] = [plain],
): Workbook {
  const byRow = new Map<number, Cell[]>()
  for (const [row, column, value, format = 0] of cells) {
    const list = byRow.get(row) ?? []
    list.push({ column, format, ...(value !== undefined && { value }) })
    byRow.set(row, list)
  }
  const sheet: Sheet = {
    name: 'One',
    hidden: false,
    rightToLeft: false,
    columns: [],
    defaultWidth: { points: 50 },
    defaultHeight: 20,
    keepsHeights: true,
    merges: [],
    ...others,
    rows: [...byRow].sort(([a], [b]) => a - b).map(([row, list]) => ({ row, hidden: false, cells: list })),
    page: { ...page, ...own },
  }
  return { sheets: [sheet], formats, defaultFont: font, date1904: false, information: {} }
}

/** Lays a workbook out. `maxSteps`: what the budget allows; beyond it, an error is thrown. */
export function lay(
  workbook: Workbook,
  {
    maxSteps = Infinity,
    now = 0,
    warn = () => {},
  }: {
    readonly maxSteps?: number
    readonly now?: number
    readonly warn?: (warning: Warning) => void
  } = {},
): Page[] {
  let steps = 0
  return layoutWorkbook({
    workbook,
    fonts: shippedBook.forDocument(),
    budget: {
      pages: 100,
      check(done = 1) {
        steps += done
        if (steps > maxSteps) throw new Error('too many steps')
      },
    },
    now,
    image: () => undefined,
    vector: () => undefined,
    warn,
  })
}

/** The texts of a page with the places where they begin, in the coordinates of the paper. */
export function textsOf({ frame }: Page): { text: string; x: number; y: number }[] {
  const visit = (
    inner: Frame,
    dx: number,
    dy: number,
    scale: number,
  ): { text: string; x: number; y: number }[] =>
    inner.items.flatMap(({ x, y, item }) => {
      const at = { x: dx + x * scale, y: dy + y * scale }
      if (item.kind === 'glyphs') return [{ text: item.run.text, x: Math.round(at.x), y: Math.round(at.y) }]
      if (item.kind === 'group') return visit(item.frame, at.x, at.y, scale * (item.transform?.[0] ?? 1))
      return []
    })
  return visit(frame, 0, 0, 1)
}
/** The colours of the texts of a page, with the text. */
export function textColours({ frame }: Page): Record<string, number> {
  const visit = ({ items }: Frame): [string, number][] =>
    items.flatMap(({ item }) =>
      item.kind === 'glyphs'
        ? [[item.run.text, item.colour] as [string, number]]
        : item.kind === 'group'
          ? visit(item.frame)
          : [],
    )
  return Object.fromEntries(visit(frame))
}
export const wordsOf = (pages: readonly Page[]) =>
  pages.map((each) =>
    textsOf(each)
      .map(({ text }) => text)
      .join(' '),
  )
export const formatWith = (change: Partial<CellAlignment>, more: Partial<CellFormat> = {}): CellFormat => ({
  ...plain,
  ...more,
  align: { ...align, ...change },
})
