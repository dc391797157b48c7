import { contentsEmpty } from '../../../shared/document/contents.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import { scanDocument } from '../../../shared/office/incoming/scan-document.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import type { ConversionResult, ConvertJob, Engine, Host } from '../../../shared/plugin/contract.ts'
import { ignoredWarnings } from '../../../shared/plugin/ignored-options.ts'
import type { PoolStats } from '../../../shared/plugin/processes.ts'
import type { ByteSource, FormatId, Warning } from '../../../shared/plugin/values.ts'
import type { BridgeReply, BridgeRequest } from './bridge-unit.ts'
import { convertCold } from './cold.ts'
import { inputArguments, outputFilter } from './command-line.ts'
import { filterPairOf, title } from './conversions.ts'
import { correctionOf } from './corrections.ts'
import { createOffice, type Office, type OfficePools } from './office.ts'
import type { OfficeOptions } from './options.ts'
import { isOtherPackage, looksEncrypted, type PreparedRequest, prepare, withSource } from './request.ts'
import type { OfficeSettings } from './settings.ts'

export interface OfficeEngine extends Engine<OfficeOptions> {
  /** For health, tests and the bench; undefined before the start and in cold mode. */
  stats(): PoolStats | undefined
}

/** The state that the functions of this file share. Created once for each engine. */
interface OfficeContext {
  readonly office: Office
  readonly settings: OfficeSettings
  readonly host: Host
}

export function createEngine(settings: OfficeSettings, host: Host): OfficeEngine {
  const office = createOffice(settings, host)
  const { accepts, start, stop, health, stats } = office
  const context = { office, settings, host }
  return {
    accepts,
    convert: (job, signal) => convertSmallest(context, job, signal),
    start,
    stop,
    health,
    stats,
  }
}

/** The options that affect only the size of pictures. */
const pictureSizes = ['ReduceImageResolution', 'MaxImageResolution', 'Quality', 'UseLosslessCompression']

/**
 * Converts a document. A PDF with reduced pictures is converted a second time without reducing them: the office
 * recompresses JPEG pictures that it reduced, losslessly if requested, which may take more bytes than before. The
 * smaller file is kept; if the source is a PDF, it is considered as well.
 */
async function convertSmallest(
  context: OfficeContext,
  job: ConvertJob<OfficeOptions>,
  signal: AbortSignal,
): Promise<ConversionResult> {
  const result = await convert(context, job, signal)
  const { given } = job.options
  if (job.to !== 'pdf' || given['ReduceImageResolution'] !== true || !(await hasPictures(result.value)))
    return result
  const asItWas = { ...job, options: { ...job.options, given: { ...given, ReduceImageResolution: false } } }
  const alternatives = [await convert(context, asItWas, signal)]
  if (job.from === 'pdf' && Object.keys(given).every((name) => pictureSizes.includes(name)))
    alternatives.push({ value: job.source, warnings: [] })
  const [smaller] = alternatives
    .filter(({ value }) => value.size < result.value.size)
    .sort((a, b) => a.value.size - b.value.size)
  if (smaller === undefined) return result
  const warning = {
    code: 'pdf.pictures-kept',
    message: 'The pictures were not reduced, because the file would have become larger.',
  }
  return { ...smaller, warnings: [...smaller.warnings, warning] }
}

/** Whether a PDF of the office has pictures. Their dictionaries are never compressed (ISO 32000-1, 7.5.7). */
async function hasPictures(pdf: ByteSource): Promise<boolean> {
  return Buffer.from(await bytesOf(pdf)).includes('/Subtype/Image', 0, 'latin1')
}

async function convert(
  context: OfficeContext,
  job: ConvertJob<OfficeOptions>,
  signal: AbortSignal,
): Promise<ConversionResult> {
  const { from, to } = job
  const way = filterPairOf(from, to)
  if (way === undefined) throw new AppError('convert.pair', { engine: title, from, to })
  const bytes = await bytesOf(job.source)
  if (bytes.length === 0)
    throw new AppError('convert.document', { engine: title, from, because: 'it is empty' })
  if (looksEncrypted(from, bytes)) throw new AppError('convert.password', { from })
  if (isOtherPackage(from, bytes))
    throw new AppError('convert.document', {
      engine: title,
      from,
      because: 'its content is of another format',
    })
  const request = prepare(way, to, job.options)
  const scan = await scanDocument(context.host, title, bytes, job, signal)
  const prepared = withSource(request, way, scan.bytes)
  const current = await context.office.pools()
  const reply =
    current === undefined
      ? await runCold(context, job, prepared, signal)
      : await runWarm(current, job, { prepared, leavesTraces: scan.leavesTraces }, signal)
  if (!reply.ok && reply.kind === 'failed' && job.options.given['PageRange'] !== undefined)
    await refuseNoPages(context, job, signal)
  if (!reply.ok) throw errorOf(reply, from, to)
  const correct = correctionOf(to, job.options)
  const files = isGreyscale(to, job.options)
    ? await Promise.all(reply.files.map((file) => greyPng(context.host, file, job.options)))
    : correct === undefined
      ? reply.files
      : reply.files.map(correct)
  const [value, ...more] = files.map(fromBytes)
  if (value === undefined) throw new AppError('api.internal')
  return {
    value,
    ...(more.length > 0 && { pages: [value, ...more] }),
    warnings: [...scan.warnings, ...warningsOf(prepared, reply, job)],
  }
}

/**
 * An export of no pages fails without a reason. If the export of all pages succeeds, the page range was the reason.
 */
async function refuseNoPages(
  context: OfficeContext,
  job: ConvertJob<OfficeOptions>,
  signal: AbortSignal,
): Promise<void> {
  const { PageRange: _, ...given } = job.options.given
  const allPages = { ...job, options: { ...job.options, given } }
  if (
    await convert(context, allPages, signal).then(
      () => false,
      () => true,
    )
  )
    return
  const rule = 'must name at least one page of the document'
  throw new AppError('convert.options', { option: 'PageRange', rule })
}

/** Converts to greyscale, which the PNG filter of the office does not support. */
async function greyPng(host: Host, tile: Uint8Array, { given }: OfficeOptions): Promise<Uint8Array> {
  if (host.encodePicture === undefined)
    throw new AppError('convert.options', { option: 'ColorMode', rule: 'cannot be 1 for PNG on this host' })
  const compression = (given['Compression'] as number | undefined) ?? 0
  const interlaced = given['Interlaced'] === 1
  return host.encodePicture({ tiles: [tile], to: 'png', greyscale: true, compression, interlaced })
}

async function runWarm(
  pools: OfficePools,
  job: ConvertJob<OfficeOptions>,
  { prepared: { request, source }, leavesTraces }: { prepared: PreparedRequest; leavesTraces: boolean },
  signal: AbortSignal,
): Promise<BridgeReply> {
  const { deadline, client } = job
  const poolJob = { deadline, signal, client, doing: `converting ${job.from} to ${job.to}` }
  const current = leavesTraces ? pools.single : pools.shared
  try {
    return await current.run(poolJob, (unit) => unit.convert(request, source, leavesTraces))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'convert.crashed' || needsUno(request)) throw error
    const cold = { input: inputArguments(request.load), output: outputFilter(request.store) }
    const reply = await current.run(poolJob, (unit) => unit.convert({ ...request, cold }, source))
    if (!reply.ok) throw error
    return reply
  }
}

async function runCold(
  { office, settings, host }: OfficeContext,
  job: ConvertJob<OfficeOptions>,
  prepared: PreparedRequest,
  signal: AbortSignal,
): Promise<BridgeReply> {
  const state = await office.installation()
  if (state.kind === 'none')
    throw new AppError('convert.engine-off', { engine: title, because: state.because })
  if (needsUno(prepared.request))
    throw new AppError('convert.engine-off', { engine: title, because: 'it needs a Python with UNO' })
  const program = state.kind === 'cold' ? state.program : state.installation.program
  if (host.confine === undefined)
    throw new AppError('convert.engine-off', { engine: title, because: 'this host cannot run programs' })
  const folder = await office.scratchFolder()
  const extension = host.format(job.to)?.extensions[0] ?? job.to
  return convertCold(
    { program, folder, fontsDir: settings.fontsDir, confine: host.confine, now: host.now },
    { from: job.from, to: job.to, deadline: job.deadline, prepared, extension },
    signal,
  )
}

function isGreyscale(to: FormatId, { given }: OfficeOptions): boolean {
  return to === 'png' && given['ColorMode'] === 1
}

/** Whether a request needs features that the command line of the office does not have. */
function needsUno({ refresh, classic, edits, drawing, sheet, eachPage }: BridgeRequest): boolean {
  return refresh === true || [classic, edits, drawing, sheet, eachPage].some((option) => option !== undefined)
}

function errorOf(reply: Extract<BridgeReply, { ok: false }>, from: FormatId, to: FormatId): AppError {
  switch (reply.kind) {
    case 'password':
      return new AppError('convert.password', { from })
    case 'document':
      return new AppError('convert.document', { engine: title, from, because: reply.because })
    case 'failed':
      return new AppError('convert.failed', { engine: title, from, to, because: reply.because })
    default:
      return reply.kind satisfies never
  }
}

function warningsOf(
  prepared: PreparedRequest,
  reply: Extract<BridgeReply, { ok: true }>,
  { to }: ConvertJob<OfficeOptions>,
): readonly Warning[] {
  const warnings: Warning[] = [...ignoredWarnings({ names: prepared.ignored }, to)]
  // Word 6 and 95 open RTF under the name of their own format, which no free program writes.
  if (to === 'doc6' || to === 'doc95')
    warnings.push({
      code: 'convert.rtf-as-doc',
      message: `The content of the file is RTF, which programs that read ${to} open as well.`,
    })
  if (reply.pages !== undefined && reply.pages > 1)
    warnings.push({
      code: 'convert.first-page-only',
      message: `The document has ${reply.pages} pages or sheets; ${to} shows only the first.`,
    })
  if (reply.emptyContents !== undefined && reply.emptyContents > 0) warnings.push(contentsEmpty)
  const left = [
    counted(reply.notes, 'note'),
    counted(reply.comments, 'comment'),
    counted(reply.equations, 'equation'),
    counted(reply.charts, 'chart'),
  ].filter((part) => part !== '')
  if (left.length > 0)
    warnings.push({
      code: 'convert.notes-lost',
      message: `LibreOffice omits ${left.join(' and ')} from plain text. Convert to Markdown to keep them.`,
    })
  return warnings
}

const counted = (count = 0, name: string): string =>
  count === 0 ? '' : count === 1 ? `one ${name}` : `${count} ${name}s`
