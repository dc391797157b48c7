import { AppError } from '../../errors/app-error.ts'
import type { FormatPlugin } from '../../plugin/contract.ts'
import { engineFormat } from '../../plugin/registry.ts'
import type { Outcome, Warning } from '../../plugin/values.ts'
import type { Merged, MergeJob, MergeOptions, Merger } from '../../ports/index.ts'
import { drawFallbackImages, type FallbackAccess } from '../merge/fallback-images.ts'
import { type FetchAccess, fetchFiles } from '../merge/fetch-files.ts'
import { firstState, type PipelineContext, type PipelineState } from '../state.ts'

/**
 * The first state of a render: the template merged with the data, or unchanged if the request has no data. Throws
 * 'api.template.format' for a file without tags, 'template.*', and what fetching files throws.
 */
export async function merge(
  context: PipelineContext,
  target: FormatPlugin | undefined,
): Promise<PipelineState> {
  const { services, request, template } = context
  const { format } = template
  const first = firstState(target)
  if (request.data === undefined) return { ...first, source: await template.source(), format }
  if (format.template === undefined) throw new AppError('api.template.format')
  context.onStage?.('merging')
  // Fallback images are meant for programs that open the document, so a document that is converted needs none.
  const isHandedOut = target === undefined || engineFormat(target) === format.id
  const { value: merged, warnings } = await mergeWithFiles(
    {
      ...services,
      authorization: request.egressAuthorization,
      ...(isHandedOut && { fallbackImages: { ...services, deadline: context.deadline } }),
    },
    {
      template: { hash: template.hash, bytes: await template.bytes(), format: format.id },
      data: request.data,
      options: { ...mergeOptions(context), ...(!isHandedOut && { addressed: true }) },
    },
    context.signal,
  )
  const mergedFormat = services.registry.format(merged.format) ?? format
  return { ...first, source: merged.document, format: mergedFormat, merged, warnings }
}

/** The options of the merger: those of the request, with the settings of the server as defaults. */
export function mergeOptions({
  services,
  request,
  item,
}: Pick<PipelineContext, 'services' | 'request' | 'item'>): MergeOptions {
  const { settings, clock, outbound } = services
  const names = Object.entries({
    reportName: request.reportName,
    batchReportName: request.batch?.reportName,
  }).filter((entry): entry is [string, string] => entry[1]?.includes('{') === true)
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
    ...(names.length > 0 && { names: Object.fromEntries(names) }),
    now: clock.now(),
    languageLevel: request.languageLevel,
    debug: request.debug,
    ...(request.failOn !== undefined && { failOn: request.failOn }),
    ...(outbound.limits !== undefined && { maxFiles: outbound.limits.files }),
    ...(item !== undefined && { batch: item.shape }),
  }
}

export interface MergeAccess extends FetchAccess {
  readonly merger: Merger
  /** Set if the merged document itself is the output. Pictures that not every program supports then get a PNG. */
  readonly fallbackImages?: FallbackAccess | undefined
}

/**
 * Merges until nothing is missing. Merging is pure and reaches no network, so a merge reports what it could not show:
 * files named by the data, and pictures without a fallback image. Both are obtained once, and the merge runs again with
 * them. Most documents need nothing and are merged once; none is merged more than three times.
 *
 * Throws what the merger throws, and the signal's reason. Source: template language 22.1, 22.11 and 27.
 */
export async function mergeWithFiles(
  access: MergeAccess,
  job: MergeJob,
  signal: AbortSignal,
): Promise<Outcome<Merged>> {
  let options: MergeOptions =
    access.fallbackImages === undefined ? job.options : { ...job.options, fallbackImages: new Map() }
  let outcome = await access.merger.merge({ ...job, options }, signal)
  const warnings: Warning[] = []
  // Files first, because they decide which pictures there are.
  for (const obtain of [obtainFiles, obtainFallbackImages]) {
    const obtained = await obtain(access, outcome.value, signal)
    if (obtained?.options !== undefined) {
      options = { ...options, ...obtained.options }
      outcome = await access.merger.merge({ ...job, options }, signal)
    }
    for (const warning of obtained?.warnings ?? []) warnings.push(warning)
  }
  return warnings.length === 0 ? outcome : { ...outcome, warnings: [...outcome.warnings, ...warnings] }
}

/**
 * The files that a merge lacked and that were obtained. Without `options` there were none, so the merge need not run
 * again.
 */
interface Obtained {
  readonly options?: Pick<MergeOptions, 'files' | 'fallbackImages'>
  readonly warnings: readonly Warning[]
}

async function obtainFiles(
  access: MergeAccess,
  { needs = [] }: Merged,
  signal: AbortSignal,
): Promise<Obtained | undefined> {
  if (needs.length === 0) return undefined
  return { options: { files: await fetchFiles(access, needs, signal) }, warnings: [] }
}

async function obtainFallbackImages(
  { fallbackImages: access }: MergeAccess,
  { fallbackImages: requests = [] }: Merged,
  signal: AbortSignal,
): Promise<Obtained | undefined> {
  if (access === undefined || requests.length === 0) return undefined
  const { images, warnings } = await drawFallbackImages(access, requests, signal)
  const isAnyDrawn = [...images.values()].some((png) => png !== undefined)
  return { ...(isAnyDrawn && { options: { fallbackImages: images } }), warnings }
}
