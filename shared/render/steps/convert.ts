/**
 * The output of a render: what the request names before the merge (`resolveTarget`), how the merged document becomes it
 * (`chooseOutput`), and the conversion itself (`convert`).
 */
import { AppError } from '../../errors/app-error.ts'
import { fileNameOf, profileNamed, relationshipsOf } from '../../invoice/profiles.ts'
import type { InvoiceRequest } from '../../invoice/report.ts'
import { defaultLimits } from '../../limits.ts'
import { pictureNotLoaded } from '../../net/page-files.ts'
import type { PdfComposition } from '../../pdf/join/compose.ts'
import { invoiceProfile } from '../../pdf/model/metadata.ts'
import { bytesOf, fromBytes } from '../../plugin/byte-source.ts'
import type { FormatPlugin } from '../../plugin/contract.ts'
import { engineFormat } from '../../plugin/registry.ts'
import type { Warning } from '../../plugin/values.ts'
import { assembledFormat, gatherParts, ignoredOperations, splitOptions } from '../pdf-parts.ts'
import type { FormatOptions, RenderRequest } from '../request.ts'
import {
  type OutputPlan,
  type PdfAssembly,
  type PipelineContext,
  type PipelineState,
  withWarnings,
} from '../state.ts'

/**
 * Returns the output that `convertTo` names; undefined if the document keeps its format. Checks the options of that output,
 * so that no template is merged for a request that cannot succeed. Throws 'convert.unknown-format', 'convert.options'.
 */
export function resolveTarget({ services, request, template }: PipelineContext): FormatPlugin | undefined {
  if (request.convertTo === undefined) return undefined
  const { name, options } = request.convertTo
  const format = services.registry.formatByExtension(name)
  if (format === undefined)
    throw new AppError('convert.unknown-format', { to: name.replace(/[^\w.+-]/g, '?').slice(0, 20) })
  // An XML vocabulary is a format of its own, and its extension means "keep the format".
  const target = template.format.extensions[0] === format.id ? template.format : format
  if (options !== undefined) services.converter.checkOptions(engineFormat(target), options)
  return target
}

/**
 * Decides how the document becomes the output: the engine, its options, and other files. Tags of the template take precedence
 * over the request. A document that needs no engine is completed here.
 */
export async function chooseOutput(context: PipelineContext, before: PipelineState): Promise<PipelineState> {
  const { request } = context
  const { state, printOptions } = await takePrintOptions(before)
  const format = state.target ?? state.format
  const requestedEngine = state.merged?.tagOptions.converter ?? request.converter
  const auto = requestedEngine === 'auto'
  const { options, assembly, ignored } = splitAssembly(context, state, {
    ...(format.id === assembledFormat && printOptions),
    ...request.convertTo?.options,
  })
  const requestedOutput = {
    format,
    auto,
    letter: auto ? undefined : requestedEngine,
    hardRefresh: (state.merged?.tagOptions.hardRefresh ?? request.hardRefresh) && state.target !== undefined,
    options,
    ...(assembly !== undefined && { assembly }),
  }
  const action = chooseAction(context, state, requestedOutput)
  const output: OutputPlan = { ...requestedOutput, action: action === 'convert' ? 'convert' : 'keep' }
  const planned = withWarnings({ ...state, output }, ignored)
  if (action === 'convert') return planned
  const document = state.merged === undefined ? await plainCopy(context, planned) : planned
  return action === 'refresh-impossible' ? withWarnings(document, [noRefresh(state.format.id)]) : document
}

/** Separates the print options that a document contains from the document. */
async function takePrintOptions(
  state: PipelineState,
): Promise<{ readonly state: PipelineState; readonly printOptions?: FormatOptions }> {
  const { format, source } = state
  const printing = await format.printOptions?.(await bytesOf(source))
  if (printing === undefined) return { state }
  return { state: { ...state, source: fromBytes(printing.bytes) }, printOptions: printing.options }
}

/**
 * If the template requests files in or around its PDF, splits the options into those for the engine and those for the
 * assembled PDF, and starts to gather the files.
 */
function splitAssembly(
  context: PipelineContext,
  { target, format, merged }: PipelineState,
  requestedOptions: FormatOptions,
) {
  const operations = merged?.operations ?? []
  const isPdf = (target ?? format).id === assembledFormat
  const invoice = isPdf ? context.request.invoice : undefined
  if (operations.length === 0 && invoice === undefined) return { options: requestedOptions, ignored: [] }
  if (!isPdf) return { options: requestedOptions, ignored: ignoredOperations(operations) }
  const { engine, assembled } = splitOptions(requestedOptions, operations, invoice !== undefined)
  const gathered = gatherParts(
    {
      outbound: context.services.outbound,
      authorization: context.request.egressAuthorization,
      renderTemplate: async ({ template, data }) =>
        bytesOf(await context.renderNested(template, data, merged)),
    },
    operations,
    context.signal,
  )
  const parts = invoice === undefined ? gathered : withInvoice(context, gathered, invoice)
  // A failure is reported by the step that awaits the files. Until then it must not count as unhandled.
  parts.catch(() => {})
  const assembly: PdfAssembly = { parts, options: assembled }
  return { options: engine, assembly, ignored: [] }
}

/** A document that already has the target format needs an engine only to be refreshed, or to apply options. */
function chooseAction(
  { services }: PipelineContext,
  { format: from }: PipelineState,
  { format, letter, hardRefresh, options = {} }: Omit<OutputPlan, 'action'>,
): 'keep' | 'convert' | 'refresh-impossible' {
  const to = engineFormat(format)
  if (from.id !== to) return 'convert'
  const hasOptions = Object.keys(options).length > 0
  if (!hardRefresh && !hasOptions) return 'keep'
  if (services.converter.can(from.id, to, letter)) return 'convert'
  return hardRefresh && !hasOptions ? 'refresh-impossible' : 'convert'
}

/** A file that is returned without a merge: a template becomes a document, and macros are removed. */
async function plainCopy({ services }: PipelineContext, state: PipelineState): Promise<PipelineState> {
  const { plainCopy } = state.format
  if (plainCopy === undefined) return state
  const copy = await plainCopy(await bytesOf(state.source), { codec: services.codec, limits: defaultLimits })
  return copy === undefined ? state : { ...state, source: fromBytes(copy) }
}

function noRefresh(format: string) {
  return {
    code: 'hard-refresh',
    message: `hardRefresh was ignored, because no engine of this service can open and save ${format} files.`,
  }
}

/** Adds the files of a PDF that must be an electronic invoice, with the XML of its template. */
async function withInvoice(
  { renderInvoice }: PipelineContext,
  gathered: Promise<PdfComposition>,
  invoice: InvoiceRequest,
): Promise<PdfComposition> {
  if (invoice.template === undefined) return { ...(await gathered), invoice }
  const [composition, bytes] = await Promise.all([gathered, renderInvoice(invoice.template)])
  const profile =
    invoiceProfile(new TextDecoder().decode(bytes)) ?? profileNamed(invoice.profile ?? 'EN 16931')
  const [relationship = 'Data'] = relationshipsOf(profile)
  const attachment = { name: fileNameOf(profile.name), bytes, relationship }
  return { ...composition, attachments: [...composition.attachments, attachment], invoice }
}

/** Converts the document with an engine, unless it is the output already. Throws 'convert.*', 'engine.*'. */
export async function convert(context: PipelineContext, state: PipelineState): Promise<PipelineState> {
  const { output } = state
  if (output === undefined) return state
  const converted = output.action === 'convert' ? await runEngine(context, state) : state
  return asVariant(context, converted)
}

/**
 * What engines get for a template of text that printed nothing. Missing data is no error, and this is an empty document in every
 * format of text, while engines refuse a file without a byte as damaged.
 */
const emptyDocument = fromBytes(new TextEncoder().encode('\n'))

async function runEngine(context: PipelineContext, state: PipelineState): Promise<PipelineState> {
  const { services, request, client, deadline, signal } = context
  const { output, source, format } = state
  if (output === undefined) return state
  context.onStage?.('converting')
  const { egressAuthorization } = request
  const converted = await services.converter.convert({
    source: state.merged !== undefined && source.size === 0 ? emptyDocument : source,
    from: format.id,
    to: engineFormat(output.format),
    options: output.options,
    letter: output.letter,
    auto: output.auto,
    hardRefresh: output.hardRefresh,
    ...(egressAuthorization !== undefined && { egressAuthorization }),
    client,
    deadline,
    signal,
  })
  checkPictures(request, converted.warnings)
  return withWarnings(
    {
      ...state,
      source: converted.value,
      format: services.registry.format(converted.format) ?? output.format,
      converters: converted.letters,
      ...(converted.fonts !== undefined && { fonts: converted.fonts }),
      ...(converted.pageCount !== undefined && { pageCount: converted.pageCount }),
    },
    converted.warnings,
  )
}

/**
 * Engines report pictures that they could not load. Throws 'template.picture' for them if the request has `failOn:
 * ["IMAGE_URL_ERROR"]`.
 */
export function checkPictures({ failOn }: RenderRequest, warnings: readonly Warning[]): void {
  if (failOn?.includes('IMAGE_URL_ERROR') !== true) return
  const missing = warnings.find(({ code }) => code === pictureNotLoaded)
  if (missing !== undefined) throw new AppError('template.picture', { what: missing.message })
}

/** Rewrites the output as the requested variant of the format that the engine produced. */
async function asVariant({ services }: PipelineContext, state: PipelineState): Promise<PipelineState> {
  const variant = state.output?.format.variantOf
  if (state.output === undefined || variant === undefined || state.format.id !== variant.base) return state
  const bytes = await variant.rewrite(await bytesOf(state.source), {
    codec: services.codec,
    limits: defaultLimits,
  })
  return { ...state, source: fromBytes(bytes), format: state.output.format }
}
