import type { Document } from '../../../../../shared/document/document.ts'
import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { Workbook } from '../../../../../shared/document/sheet.ts'
import { countLabels } from '../../style/labels.ts'
import { createStyler } from '../../style/styler.ts'
import { createTableStyler } from '../../style/table-style.ts'
import { createRecord } from '../audit/record.ts'
import type { LayoutContext } from '../context.ts'
import { drawingDocument } from '../drawing/drawing-document.ts'
import type { Placed, Pt } from '../frame.ts'
import { layoutContext } from '../layout-context.ts'
import type { WorkbookRequest } from './layout-workbook.ts'

/**
 * Creates a function that draws the drawings of a sheet by the layout of drawings (`../drawing/`). Its context is created
 * only when there is a drawing.
 */
export function createDrawingPainter(
  request: WorkbookRequest,
): (drawing: Drawing, width: Pt, height: Pt) => Placed[] {
  let context: LayoutContext | undefined
  return (drawing, width, height) => {
    context ??= contextOf(request)
    return context.flows.draw(drawing, width, height)
  }
}

/** A document without sections, which the drawings of a workbook are laid out in. */
export function sheetDrawingDocument({
  drawingText = {},
  drawingStyles,
  media = new Map(),
}: Workbook): Document {
  const document = drawingDocument({ run: drawingText, media })
  return drawingStyles === undefined ? document : { ...document, styles: drawingStyles }
}

function contextOf({
  workbook,
  fonts,
  budget,
  now,
  image,
  vector,
  warn,
  owners,
}: WorkbookRequest): LayoutContext {
  const document = sheetDrawingDocument(workbook)
  const styler = createStyler(document)
  return layoutContext({
    ...(owners !== undefined && { ownership: owners.drawings }),
    document,
    fonts,
    budget,
    image,
    vector,
    warn,
    styler,
    labels: countLabels(document, styler),
    tableOf: createTableStyler(document.styles),
    textStyles: new Map(),
    values: {
      page: 1,
      pageFormat: 'decimal',
      section: 1,
      pages: 1,
      sectionPages: 1,
      now,
      bookmarks: new Map(),
      noteNumbers: new Map(),
      used: { pages: false, page: false, chapter: false, bookmarks: false },
    },
    outline: [],
    record: createRecord(),
  })
}
