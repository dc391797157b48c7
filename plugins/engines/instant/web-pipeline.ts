/**
 * The stages for web pages: the text of a page comes in, boxes are laid out (`layout/web/`), pages are painted (`paint/`), a
 * PDF or pictures go out. Scripts are not run, and nothing is fetched.
 */
import { AppError } from '../../../shared/errors/app-error.ts'
import type { Codec, Warning } from '../../../shared/plugin/values.ts'
import type { DocumentFonts, FontRequest, NamedFont } from './fonts/font-book.ts'
import { createWebOwners } from './layout/web/context.ts'
import { type BoxedPage, boxPage, layoutPage, pageFontRequests } from './layout/web/layout-page.ts'
import { readPageFonts } from './layout/web/page-fonts.ts'
import type { PrintOptions } from './layout/web/paper.ts'
import { readPage, type WebSource } from './layout/web/read-page.ts'
import { paintRequested } from './paint/paint-pages.ts'
import { createStructure } from './paint/pdf/structure.ts'
import { buildWebStructure } from './paint/pdf/web-structure.ts'
import {
  createBudget,
  imagesOf,
  type PipelineRequest,
  type PipelineResult,
  vectorsOf,
  warnMissing,
} from './pipeline.ts'

/** A page whose boxes are made and whose fonts are not yet known. */
export interface ReadPage {
  readonly source: WebSource
  readonly boxes: BoxedPage
}

/** Everything that the conversion of one page needs. */
export interface WebPipelineRequest
  extends Omit<PipelineRequest, 'document' | 'hyphenators' | 'skipBlankPages'> {
  readonly page: ReadPage
  /** What the caller asks for the paper, where the page says nothing of its own. */
  readonly print?: PrintOptions
}

/** Characters of a page. Its elements and boxes take some 20 times as many bytes. */
const maxCharacters = 8_000_000

/** The first stages, which need no font. Throws 'convert.document' for a page that is too long, and what the budget throws. */
export function readWebPage(
  html: string,
  limits: Pick<PipelineRequest, 'deadline' | 'now' | 'signal' | 'maxSteps'>,
  print: PrintOptions = {},
): ReadPage {
  const { check } = createBudget(limits)
  if (html.length > maxCharacters) throw unreadable('it has more than 8 million characters')
  return shallow(() => {
    const read = readPage(html)
    const source = print.background !== false ? read : { ...read, sheet: `${read.sheet}\n${noBackgrounds}` }
    return { source, boxes: boxPage(source, check, print) }
  })
}

/** What a print without backgrounds leaves out. */
const noBackgrounds = '* { background-color: transparent !important; background-image: none !important }'

/** Trees are walked recursively, also by the parser; pages written by people stay far below what a stack holds. */
function shallow<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw unreadable('its elements are nested too deeply')
  }
}

function unreadable(because: string): AppError {
  return new AppError('convert.document', { engine: 'The instant engine', from: 'html', because })
}

/** The fonts that a page carries. Those that cannot be used are noted as not drawn. */
export function webPageFonts({ boxes }: ReadPage, codec: Codec): { readonly named: readonly NamedFont[] } {
  const { fonts, omitted } = readPageFonts(boxes.cascade.fontFaces, codec)
  if (omitted > 0) boxes.undrawn.add('fonts of the page')
  return { named: fonts }
}

/** The families and characters of a page. */
export const webFontRequests = ({ boxes }: ReadPage, fonts: Pick<DocumentFonts, 'has'>): FontRequest[] =>
  pageFontRequests(boxes, fonts)

/**
 * Lays a page out and paints it. Throws AppError 'convert.document', 'convert.timeout', 'layout.too-many-pages', 'font.none', 'pdf.promise', or
 * the reason of the signal.
 */
export function paintWebPage(request: WebPipelineRequest): PipelineResult {
  const { page, fonts } = request
  const { source, boxes } = page
  const owners = request.tagged === true ? createWebOwners() : undefined
  const warnings = new Map<string, Warning>()
  const warn = (warning: Warning): void => void warnings.set(`${warning.code} ${warning.message}`, warning)
  if (boxes.undrawn.size > 0) warn(undrawnWarning(boxes.undrawn))
  if (boxes.cascade.gaveUp)
    warn({
      code: 'web.styles-left-out',
      message:
        'The style sheets of the page take too much work, so some of their rules were not applied. Use fewer or simpler rules.',
    })
  const budget = createBudget(request)
  const pages = shallow(() =>
    layoutPage({
      page: boxes,
      ...(request.print !== undefined && { print: request.print }),
      fonts,
      budget,
      ...(owners !== undefined && { owners }),
      image: imagesOf(boxes.media, warn),
      vector: vectorsOf(boxes.media, { fonts, check: budget.check }, warn),
    }),
  )
  const { information } = source
  const structure = owners && shallow(() => createStructure(buildWebStructure(boxes.box), owners))
  const files = paintRequested(request, pages, {
    information,
    check: budget.check,
    outline: boxes.outline,
    ...(structure !== undefined && { structure }),
    language: source.language,
    warn,
  })
  const report = fonts.report()
  warnMissing(report, warn)
  return { files, pages, warnings: [...warnings.values()], fonts: report }
}

function undrawnWarning(undrawn: ReadonlySet<string>): Warning {
  const list = [...undrawn].sort()
  return {
    code: 'web.not-drawn',
    message: `The page uses features that are not drawn, or only approximately: ${list.join(', ')}.`,
  }
}
