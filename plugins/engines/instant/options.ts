import { entryOf } from '../../../shared/entry-of.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import { pdfOptionRules } from '../../../shared/pdf/stage/option-table.ts'
import { pageRangeRule, parsePageRange } from '../../../shared/pdf/stage/page-range.ts'
import { optionText, optionsSchema as schemaOf } from '../../../shared/plugin/option-rules.ts'
import { pageOptionRules } from '../../../shared/plugin/page-options.ts'
import { readLength, readPaper } from '../../../shared/plugin/paper.ts'
import { pictureOptionRules } from '../../../shared/plugin/pictures.ts'
import type { Schema } from '../../../shared/plugin/values.ts'
import type { PrintOptions } from './layout/web/paper.ts'
import type { PagePictureFormat, PagePictureOptions } from './paint/pictures/paint-pictures.ts'
import type { PipelineRequest } from './pipeline.ts'

type OptionValues = Readonly<Record<string, unknown>>

/**
 * The options that take effect during layout and painting: the pages, the structure and the conformance of the
 * file.
 * Encryption, watermarks and the choice of pages belong to the post-processing that all engines share.
 */
const served = [
  'ExportFormFields',
  'IsSkipEmptyPages',
  'SelectPdfVersion',
  'UseTaggedPDF',
  'PDFUACompliance',
] as const

const pictureRules = {
  ...pictureOptionRules,
  PageRange: optionText(1000, {
    accepts: (text) => parsePageRange(text) !== undefined,
    says: pageRangeRule.replace(/^must be /, ''),
  }),
} as const
const pictureSchema = schemaOf(pictureRules)
const pageSchema = schemaOf(pageOptionRules)

export const optionsSchema: Schema<OptionValues> = {
  json: {
    type: 'object',
    properties: {
      ...Object.fromEntries(served.map((name) => [name, entryOf(pdfOptionRules, name)!.json])),
      hardRefresh: { type: 'boolean' },
    },
    additionalProperties: true,
  },
  // The options of PDFs are checked for all engines together, those of pictures by `readPictureOptions`.
  parse: (input) => ({ ok: true, value: (input ?? {}) as OptionValues }),
}

/** The options that each picture format takes, as they are for the pages of a PDF. */
const sizes = ['PixelWidth', 'PixelHeight', 'Resolution', 'PageRange', 'ColorMode'] as const
const pictureOptions: Readonly<Record<PagePictureFormat, readonly string[]>> = {
  png: [...sizes, 'Compression', 'Interlaced', 'Translucent'],
  jpg: [...sizes, 'Quality'],
  webp: [...sizes, 'Quality', 'Translucent'],
  svg: ['PageRange'],
}

export const pictureFormats = Object.keys(pictureOptions) as readonly PagePictureFormat[]
export const isPicture = (to: string): to is PagePictureFormat => Object.hasOwn(pictureOptions, to)
/** Names of the options that this picture format takes. */
export const optionsOfPicture = (to: PagePictureFormat): readonly string[] => pictureOptions[to]

/** Options that mean nothing for this output, such as the paper of a page that a browser prints. */
export function foreignOptions(
  options: OptionValues,
  { from, to }: { from: string; to: string },
): readonly string[] {
  const isPaper = (name: string): boolean => from === 'html' && Object.hasOwn(pageOptionRules, name)
  const applies = (name: string): boolean =>
    isPicture(to)
      ? pictureOptions[to].includes(name)
      : entryOf(pdfOptionRules, name) !== undefined || isPaper(name)
  return Object.keys(options).filter((name) => name !== 'hardRefresh' && !applies(name))
}

/** Throws AppError 'convert.options' for a value that is out of range. */
export function readPictureOptions(options: OptionValues): PagePictureOptions {
  const checked = pictureSchema.parse(options)
  if (checked.ok) return checked.value.given
  const [issue] = checked.issues
  throw new AppError('convert.options', {
    option: issue?.path ?? 'formatOptions',
    rule: issue?.rule ?? 'is invalid',
  })
}

/** Translates the options for the paper of a web page. Throws AppError 'convert.options' for a value that is out of range. */
export function readPageOptions(options: OptionValues): PrintOptions {
  const names = Object.keys(pageOptionRules)
  const checked = pageSchema.parse(
    Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name))),
  )
  if (!checked.ok) {
    const [issue] = checked.issues
    throw new AppError('convert.options', {
      option: issue?.path ?? 'formatOptions',
      rule: issue?.rule ?? 'is invalid',
    })
  }
  const { PaperSize, Landscape, MarginTop, MarginRight, MarginBottom, MarginLeft, PrintBackground, Scale } =
    checked.value.given
  const paper = PaperSize === undefined ? undefined : readPaper(PaperSize)
  const margin = (text: string | undefined) => {
    const inches = text === undefined ? undefined : readLength(text)
    return inches === undefined ? undefined : inches * 72
  }
  return {
    ...(paper !== undefined && { paper: { width: paper.width * 72, height: paper.height * 72 } }),
    landscape: Landscape ?? false,
    margin: {
      top: margin(MarginTop),
      right: margin(MarginRight),
      bottom: margin(MarginBottom),
      left: margin(MarginLeft),
    },
    background: PrintBackground ?? true,
    scale: Scale ?? 1,
  }
}

/** Requested options without an effect on workbooks, presentations and web pages, whose layout inserts no blank pages. */
export function withoutBlankPages(options: OptionValues): readonly string[] {
  return ['IsSkipEmptyPages'].filter((name) => entryOf(options, name) === true)
}

/**
 * Translates the options for the pipeline. Only the PDF versions that the painter writes are passed on, by default 1.6
 * (specification 4.9); post-processing makes later versions. PDF/A and PDF/UA have versions of their own.
 */
export function readOptions(
  options: OptionValues,
): Pick<
  PipelineRequest,
  'tagged' | 'conformance' | 'version' | 'skipBlankPages' | 'refreshContents' | 'formFields'
> {
  const version = options['SelectPdfVersion']
  const archive = version === 1 || version === 2 || version === 3 ? version : undefined
  const accessible = options['PDFUACompliance'] === true
  return {
    ...(options['IsSkipEmptyPages'] === true && { skipBlankPages: true }),
    ...(options['ExportFormFields'] === false && { formFields: false }),
    ...(options['hardRefresh'] === true && { refreshContents: true }),
    tagged: accessible || options['UseTaggedPDF'] === true,
    conformance: { ...(archive !== undefined && { archive }), ...(accessible && { accessible }) },
    ...((version === 15 || version === 16) && { version: `1.${version % 10}` }),
    ...(!accessible && (version === undefined || version === 0) && { version: '1.6' }),
  }
}
