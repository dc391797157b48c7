import type { FileKind } from './files.ts'
import type { StudioOptions } from './options.ts'
import type { OutputChoice } from './outputs.ts'

/** The engine that draws single pages while the user types. */
const pageEngine = 'I'

/** Templates that become printed pages, so that a preview by this engine is close to the output of every engine. */
const paged: readonly FileKind['group'][] = ['document', 'sheet', 'slides']

/**
 * Whether the preview shows pictures of pages, rather than a PDF in the viewer of the browser: if the user chose
 * neither another engine nor options whose effect only the finished PDF shows.
 */
export function showsPages(
  { group }: FileKind,
  { convertTo, converter }: StudioOptions,
  outputs: readonly OutputChoice[],
): boolean {
  const { formatName, formatOptions = {} } =
    typeof convertTo === 'object' ? convertTo : { formatName: convertTo }
  const isFree = converter === undefined || converter === 'auto' || converter === pageEngine
  const canDraw = outputs.some(({ name, converters }) => name === 'svg' && converters.includes(pageEngine))
  const isPlainPdf = formatName === 'pdf' && Object.keys(formatOptions).length === 0
  return paged.includes(group) && isPlainPdf && isFree && canDraw
}

/** The body of a render of one page, from that of the whole document. */
export function pageBody(body: Readonly<Record<string, unknown>>, page: number): Record<string, unknown> {
  const convertTo = { formatName: 'svg', formatOptions: { PageRange: String(page) } }
  return { ...body, convertTo, converter: pageEngine }
}
