import { parseTemplateRef, type TemplateRef } from '../api/ids.ts'
import { AppError } from '../errors/app-error.ts'
import { downloadLimits } from '../net/downloads.ts'
import { asMacroWorkbook, plainDocument } from '../office/plain-documents.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import type { ByteSource, FormatPlugin, Warning } from '../plugin/contract.ts'
import type { FontsReport } from '../plugin/fonts-report.ts'
import type { JsonInput, Merged, MergeOptions, Sample } from '../ports/index.ts'
import { inspectTemplate } from '../services/inspect.ts'
import type { Result } from '../services/results.ts'
import type { Services } from '../services/services.ts'
import { openTemplateFile, resolveTemplate } from '../services/templates.ts'
import { takePrintHelpers } from '../template/html/print-helpers.ts'
import { defaultLimits } from '../template/limits.ts'
import { type BatchItem, type BatchRequest, type BatchRun, renderBatch } from './batch/batch.ts'
import { withinDeadline } from './deadline.ts'
import { mergeWithFiles } from './merge/merge-with-files.ts'
import {
  type GatherAccess,
  gatherFiles,
  ignoredOperations,
  putTogether,
  type Signature,
  splitOptions,
} from './pdf-operations.ts'
import { sanitizeReportName } from './report-name.ts'
import { findStored, withStylesOf } from './style-source.ts'

/** A render as asked for, checked for shape. Absent fields take the server's defaults. */
export interface RenderRequest {
  readonly data?: JsonInput // absent: nothing is merged, the file is only converted
  readonly batch?: BatchRequest // set: it holds the data
  readonly complement?: JsonInput
  readonly convertTo?: { readonly name: string; readonly options?: Readonly<Record<string, unknown>> }
  readonly converter?: string // letter; absent: the default engine of the template's family
  readonly extension?: string // of the template, where its content is not to say what it is
  readonly timezone?: string
  readonly lang?: string
  readonly variableStr?: string
  readonly reportName?: string
  readonly enum?: Readonly<Record<string, unknown>>
  readonly translations?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly currencySource?: string
  readonly currencyTarget?: string
  readonly currencyRates?: Readonly<Record<string, number>>
  readonly failOn?: readonly string[]
  readonly egressAuthorization?: string // sent with every file the render fetches
  readonly hardRefresh: boolean
  readonly debug: boolean
  readonly languageLevel: number
}

/** The file a render starts from. `bytes` come from the cache and may be shared memory; `source` never is. */
export interface RenderTemplate {
  readonly format: FormatPlugin
  readonly hash: string
  readonly inline?: true // came with the request
  bytes(): Promise<Uint8Array>
  source(): Promise<ByteSource>
}

export interface Rendered extends Result {
  readonly names: Readonly<Record<string, string>> // rendered beside the document, not yet sanitised
  readonly warnings: readonly Warning[]
  /** Letters of the engines that converted it, and what became of its fonts where the engine sets text itself. */
  readonly converters?: readonly string[]
  readonly fonts?: FontsReport
  /** Where the tags with :sign came to stand in the PDF. */
  readonly signatures?: readonly Signature[]
  readonly debug?: { readonly markers: readonly string[]; readonly sample?: Sample }
}

/** Throws 'api.template.not-found', 'api.template.unreadable'. */
export async function storedTemplate(
  services: Services,
  account: string,
  ref: TemplateRef,
): Promise<RenderTemplate> {
  const row = await resolveTemplate(services, account, ref)
  services.uses?.note(row)
  const format = services.registry.format(row.format)
  if (format === undefined) throw new AppError('api.template.unreadable')
  const source = () => openTemplateFile(services, row)
  return { format, hash: row.contentHash, source, bytes: () => services.templates.get(row.blob, source) }
}

/** Throws 'api.upload.empty', 'api.template.too-large', 'api.template.format'. */
export async function inlineTemplate(services: Services, bytes: Uint8Array): Promise<RenderTemplate> {
  const limit = services.settings.maxTemplateBytes
  if (bytes.length === 0) throw new AppError('api.upload.empty')
  if (bytes.length > limit) throw new AppError('api.template.too-large', { limit })
  const source = fromBytes(bytes)
  const format = await services.registry.sniff(source)
  if (format === undefined) throw new AppError('api.template.format')
  const running = services.hasher.sha256()
  running.update(bytes)
  return { format, hash: running.hex(), inline: true, source: async () => source, bytes: async () => bytes }
}

/**
 * The whole way from template to document: merge, convert, name. Ends with 'api.render.timeout' at the deadline and
 * 'api.aborted' when the caller leaves. What fails on the way is the documented 500 with its cause.
 */
export async function render(
  services: Services,
  given: RenderTemplate,
  request: RenderRequest,
  caller: AbortSignal,
  more: RenderBounds = {},
): Promise<Rendered> {
  const { timeoutMs = services.settings.renderTimeoutMs, onStage, account } = more
  const template = ofExtension(services, given, request.extension)
  const rendered = await withinDeadline(services, caller, timeoutMs, async ({ signal, at: deadline }) => {
    const { batch, convertTo } = request
    if (batch === undefined)
      return await run(services, template, request, { signal, deadline, onStage, account })
    // One that came with the request would be copied for every item on its way to the merger.
    const key = `inline/${template.hash}`
    const kept = { ...template, bytes: () => services.templates.get(key, template.source) }
    const one: BatchRun['render'] = (item, options, itemSignal) =>
      run(
        services,
        template.inline ? kept : template,
        { ...request, data: item.data, ...(convertTo && { convertTo: { ...convertTo, options } }) },
        { signal: itemSignal, deadline, item, onStage, account },
      )
    return await renderBatch(services, { batch, options: convertTo?.options, signal, deadline, render: one })
  })
  if (rendered.debug === undefined) return rendered
  const { lang, variableStr, languageLevel } = request
  const asked = { languageLevel, ...(lang && { lang }), ...(variableStr && { variableStr }) }
  const { sample } = await inspectTemplate(services, template, asked, caller)
  return { ...rendered, debug: { ...rendered.debug, sample } }
}

export interface RenderBounds {
  readonly timeoutMs?: number
  /** Whose stored templates may be appended; absent: none. */
  readonly account?: string | undefined
  /** Told what begins; for each item of a batch. */
  readonly onStage?: (stage: 'merging' | 'converting') => void
}

interface Bounds extends Pick<RenderBounds, 'onStage' | 'account'> {
  readonly signal: AbortSignal
  readonly deadline: number // ms since the epoch
  readonly item?: BatchItem
  /** Set for a template that another one appends. */
  readonly isNested?: boolean
}

async function run(
  services: Services,
  template: RenderTemplate,
  request: RenderRequest,
  { item, onStage, ...bounds }: Bounds,
): Promise<Rendered> {
  const wanted = outputFormat(services, request, template.format)
  if (wanted !== undefined) services.converter.checkOptions(wanted.id, request.convertTo?.options ?? {})
  const warnings: Warning[] = []
  let merged: Merged | undefined
  let source: ByteSource
  let from = template.format
  if (request.data === undefined) source = await template.source()
  else {
    if (template.format.template === undefined) throw new AppError('api.template.format')
    onStage?.('merging')
    const isHandedOut = wanted === undefined || wanted.id === template.format.id
    const twins = isHandedOut ? { ...services, deadline: bounds.deadline } : undefined
    const outcome = await mergeWithFiles(
      { ...services, authorization: request.egressAuthorization, twins },
      {
        template: { hash: template.hash, bytes: await template.bytes(), format: template.format.id },
        data: request.data,
        options: { ...mergeOptions(services, request, item), ...(!isHandedOut && { addressed: true }) },
      },
      bounds.signal,
    )
    merged = outcome.value
    warnings.push(...outcome.warnings)
    source = merged.document
    from = services.registry.format(merged.format) ?? from
  }
  const style = merged?.asked.styleSource
  if (style !== undefined) {
    const find = findStored(bounds.account, (ref, account) => storedTemplate(services, account, ref))
    const options = mergeOptions(services, request, item)
    const letter = merged?.asked.converter ?? request.converter
    const told = { id: style, from, to: wanted ?? from, letter, source, request, options, find }
    const styled = await withStylesOf(services, { ...told, signal: bounds.signal, deadline: bounds.deadline })
    warnings.push(...styled.warnings)
    if (styled.source !== undefined) {
      source = styled.source
      from = services.registry.format('fodt') ?? from
    }
  }
  let to = wanted ?? from
  const helpers = from.id === 'html' || from.id === 'xhtml' ? await printHelpers(source) : undefined
  if (helpers !== undefined) source = helpers.source
  const wishes = to.id === 'pdf' ? { ...helpers?.options, ...request.convertTo?.options } : undefined
  const given = wishes !== undefined && Object.keys(wishes).length > 0 ? wishes : request.convertTo?.options
  const chosen = merged?.asked.converter ?? request.converter
  const auto = chosen === 'auto'
  const letter = auto ? undefined : chosen
  const hardRefresh = (merged?.asked.hardRefresh ?? request.hardRefresh) && wanted !== undefined
  const operations = merged?.operations ?? []
  const isPdf = to.id === 'pdf' && operations.length > 0
  if (!isPdf) warnings.push(...ignoredOperations(operations))
  const asked = isPdf ? splitOptions(given, operations) : undefined
  const options = asked?.engine ?? given
  const renderTemplate = nested(services, request, { ...bounds, merged })
  const access = { outbound: services.outbound, authorization: request.egressAuthorization, renderTemplate }
  const gathering = isPdf ? gatherFiles(access, operations, bounds.signal) : undefined
  gathering?.catch(() => {}) // told when it is needed
  const plan = conversion(services, { from, to, letter, hardRefresh, options })
  if (plan !== 'convert' && merged === undefined) source = await plainPackage(services, source, from)
  if (plan === 'refresh-impossible')
    warnings.push({
      code: 'hard-refresh',
      message: `hardRefresh was ignored: no engine here can open a ${from.id} file again.`,
    })
  let converters: readonly string[] = []
  let fonts: FontsReport | undefined
  if (plan === 'convert') {
    onStage?.('converting')
    const converted = await services.converter.convert({
      source,
      from: from.id,
      to: to.id,
      options,
      letter,
      auto,
      hardRefresh,
      ...(request.egressAuthorization !== undefined && { egressAuthorization: request.egressAuthorization }),
      ...bounds,
    })
    source = converted.value
    to = services.registry.format(converted.format) ?? to
    warnings.push(...converted.warnings)
    converters = converted.letters
    fonts = converted.fonts
  }
  const workbook =
    request.convertTo?.name.toLowerCase() === 'xlsm' ? services.registry.format('xlsm') : undefined
  if (workbook !== undefined && to.id === 'xlsx') {
    source = fromBytes(asMacroWorkbook(await bytesOf(source), zipOptions(services, to)))
    to = workbook
  }
  let signatures: readonly Signature[] = []
  if (gathering !== undefined && asked !== undefined && to.id === 'pdf') {
    const put = await putTogether(services, source, await gathering, operations, bounds.signal)
    source = put.source
    signatures = put.signatures
    warnings.push(...put.warnings)
    if (Object.keys(asked.whole).length > 0) {
      const finished = await services.converter.convert({
        source,
        from: 'pdf',
        to: 'pdf',
        options: asked.whole,
        deadline: bounds.deadline,
        signal: bounds.signal,
      })
      source = finished.value
      warnings.push(...finished.warnings)
    }
  }
  const name = sanitizeReportName(merged?.names['reportName'] ?? request.reportName ?? '', to.extensions[0])
  const debug = request.debug && merged !== undefined ? { markers: merged.debug?.markers ?? [] } : undefined
  const told = {
    ...(signatures.length > 0 && { signatures }),
    ...(converters.length > 0 && { converters }),
    ...(fonts !== undefined && { fonts }),
  }
  return { source, format: to, name, names: merged?.names ?? {}, warnings, debug, ...told }
}

/** A file that is handed out as it came, but as a document and without its macros. */
async function plainPackage(
  services: Services,
  source: ByteSource,
  format: FormatPlugin,
): Promise<ByteSource> {
  if (!['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'odg'].includes(format.id)) return source
  const bytes = await bytesOf(source)
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return source // in one file of XML
  const plain = plainDocument(bytes, zipOptions(services, format))
  return plain === undefined ? source : fromBytes(plain)
}

const zipOptions = ({ codec }: Services, { id: format }: FormatPlugin) => ({
  codec,
  limits: defaultLimits,
  format,
})

/** A page without what it says about its print, and that; undefined when it says nothing. */
async function printHelpers(source: ByteSource) {
  const found = takePrintHelpers(new TextDecoder().decode(await bytesOf(source)))
  return found && { source: fromBytes(new TextEncoder().encode(found.html)), options: found.options }
}

/** How a template that another appends becomes a PDF: with all that the render was asked, and no template of its own. */
function nested(
  services: Services,
  request: RenderRequest,
  { merged, account, isNested, ...bounds }: Bounds & { readonly merged: Merged | undefined },
): GatherAccess['renderTemplate'] {
  return async ({ template, data }) => {
    if (isNested === true) throw new AppError('template.files.nested')
    if (account === undefined)
      throw new AppError('template.files.failed', {
        formatter: 'appendTemplate',
        because: 'there are no stored templates here',
      })
    const { batch: _batch, reportName: _name, extension: _extension, ...rest } = request
    const made = await run(
      services,
      await storedTemplate(services, account, parseTemplateRef(template)),
      {
        ...rest,
        ...(merged?.asked.lang === undefined ? {} : { lang: merged.asked.lang }),
        data: { value: data },
        convertTo: { name: 'pdf' },
      },
      { signal: bounds.signal, deadline: bounds.deadline, account, isNested: true },
    )
    return bytesOf(made.source)
  }
}

/** The template as the type that the caller says it is. Throws 'api.template.format' for types without tags. */
export function ofExtension(
  { registry }: Services,
  template: RenderTemplate,
  extension: string | undefined,
): RenderTemplate {
  if (extension === undefined) return template
  const format = registry.formatByExtension(extension)
  if (format?.template === undefined) throw new AppError('api.template.format')
  return format.id === template.format.id ? template : { ...template, format }
}

/** Throws 'convert.unknown-format'. */
function outputFormat(
  services: Services,
  { convertTo }: RenderRequest,
  from: FormatPlugin,
): FormatPlugin | undefined {
  if (convertTo === undefined) return undefined
  // Made of the workbook that it is, where it is wanted at all.
  const name = convertTo.name.toLowerCase() === 'xlsm' ? 'xlsx' : convertTo.name
  const format = services.registry.formatByExtension(name)
  if (format === undefined)
    throw new AppError('convert.unknown-format', {
      to: convertTo.name.replace(/[^\w.+-]/g, '?').slice(0, 20),
    })
  // Whoever asks XML for XML has it, of whatever vocabulary it is.
  return from.extensions[0] === format.id ? from : format
}

/** Equal formats need an engine only to be refreshed, or to apply options to a finished document. */
function conversion(
  services: Services,
  asked: {
    readonly from: FormatPlugin
    readonly to: FormatPlugin
    readonly letter: string | undefined
    readonly hardRefresh: boolean
    readonly options: Readonly<Record<string, unknown>> | undefined
  },
): 'none' | 'convert' | 'refresh-impossible' {
  const { from, to, letter, hardRefresh, options } = asked
  if (from.id !== to.id) return 'convert'
  const hasOptions = options !== undefined && Object.keys(options).length > 0
  if (!hardRefresh && !hasOptions) return 'none'
  if (services.converter.can(from.id, to.id, letter)) return 'convert'
  return hardRefresh && !hasOptions ? 'refresh-impossible' : 'convert'
}

function mergeOptions(services: Services, request: RenderRequest, item: BatchItem | undefined): MergeOptions {
  const { settings, clock } = services
  const asked = { reportName: request.reportName, batchReportName: request.batch?.reportName }
  const names = Object.entries(asked).filter(
    (entry): entry is [string, string] => entry[1]?.includes('{') === true,
  )
  return {
    complement: request.complement,
    lang: request.lang ?? settings.lang,
    timezone: request.timezone ?? settings.timezone,
    translations: request.translations ?? settings.translations,
    enum: request.enum,
    currencySource: request.currencySource ?? settings.currencySource,
    currencyTarget: request.currencyTarget ?? settings.currencyTarget,
    currencyRates: request.currencyRates ?? settings.currencyRates,
    variableStr: request.variableStr,
    ...(names.length === 0 ? {} : { names: Object.fromEntries(names) }),
    now: clock.now(),
    languageLevel: request.languageLevel,
    debug: request.debug,
    ...(request.failOn === undefined ? {} : { failOn: request.failOn }),
    mostFiles: downloadLimits(services.outbound).files,
    ...(item === undefined ? {} : { batch: item.shape }),
  }
}
