import { AppError } from '../errors/app-error.ts'
import type { ByteSource, Host, Made, Warning } from '../plugin/contract.ts'
import type { FontsReport } from '../plugin/fonts-report.ts'
import type { EngineSet } from './engine-set.ts'
import type { FinishPlan } from './finish-pdf.ts'
import type { Arrow } from './graph.ts'
import { archiveFormat, packPages } from './pages.ts'
import type { Converted, ConvertRequest } from './request.ts'
import type { Route } from './route.ts'

export interface Runner {
  readonly engines: EngineSet
  readonly host: Host
  /** The extension that files of a format are written with. */
  extensionOf(format: string): string
}

export type RouteOutcome =
  | { readonly ok: true; readonly converted: Converted }
  | { readonly ok: false; readonly at: Arrow; readonly error: unknown }

/**
 * Takes a document along a route. A step that makes several files, one for each page, hands each of them to the next
 * step; several files at the end are packed into a zip. Never throws: a failure names the step it happened at.
 */
export async function runRoute(
  runner: Runner,
  route: Route,
  request: ConvertRequest,
  finish: FinishPlan | undefined,
): Promise<RouteOutcome> {
  let files: readonly ByteSource[] = [request.source]
  let format = request.to
  let fonts: FontsReport | undefined
  /** By content: each file of a step may warn of the same thing. */
  const warnings = new Map<string, Warning>()
  for (const [index, step] of route.entries()) {
    const isLast = index === route.length - 1
    const made: ByteSource[] = []
    try {
      for (const file of files) {
        const outcome = await runStep(runner, step, file, request, isLast ? { finish } : undefined)
        made.push(...(outcome.pages ?? [outcome.value]))
        format = outcome.format ?? format
        fonts ??= outcome.fonts
        for (const warning of outcome.warnings)
          warnings.set(`${warning.code} ${warning.message} ${warning.where ?? ''}`, warning)
      }
    } catch (error) {
      return { ok: false, at: step, error: request.signal.aborted ? endOf(request) : error }
    }
    files = made
  }
  const output = await onlyOrPacked(runner, files, format, request.to)
  const engines = route.map((step) => step.engine)
  const letters = [...new Set(route.flatMap(({ letter }) => letter ?? []))]
  return {
    ok: true,
    converted: { ...output, warnings: [...warnings.values()], engines, letters, ...(fonts && { fonts }) },
  }
}

/** `last` is set for the last step of a route, which alone gets the options and is followed by the post-processing. */
async function runStep(
  { engines, host }: Runner,
  step: Arrow,
  source: ByteSource,
  request: ConvertRequest,
  last: { readonly finish: FinishPlan | undefined } | undefined,
): Promise<Made> {
  if (request.signal.aborted) throw endOf(request)
  const { plugin, engine } = await engines.started(step.engine, request.signal)
  const given = last?.finish === undefined ? request.options : last.finish.engineOptions(plugin)
  const options = plugin.options.parse(
    last === undefined ? {} : { ...given, ...(request.hardRefresh === true && { hardRefresh: true }) },
  )
  if (!options.ok) {
    const [issue] = options.issues
    throw new AppError('convert.options', { option: issue?.path ?? '', rule: issue?.rule ?? '' })
  }
  const { egressAuthorization } = request
  const job = {
    source,
    from: step.from,
    to: step.to,
    options: options.value,
    letter: request.letter ?? step.letter,
    ...(request.auto === true && plugin.judges === true && { careful: true }),
    ...(egressAuthorization !== undefined && { egressAuthorization }),
    deadline: request.deadline,
  }
  const verdict = (await engine.accepts?.(job)) ?? { ok: true }
  if (!verdict.ok) throw new AppError('convert.engine-off', { engine: step.title, because: verdict.because })
  const prepared = await plugin.prepare?.(job, host, request.signal)
  const made = await engine.convert(prepared ? { ...job, source: prepared.value } : job, request.signal)
  const finished = await last?.finish?.finish(made.value, plugin, request.signal)
  return {
    ...made,
    value: finished?.value ?? made.value,
    warnings: [...(prepared?.warnings ?? []), ...made.warnings, ...(finished?.warnings ?? [])],
  }
}

async function onlyOrPacked(
  { host, extensionOf }: Runner,
  files: readonly ByteSource[],
  format: string,
  to: string,
): Promise<Pick<Converted, 'value' | 'format' | 'pages'>> {
  const [only] = files
  if (files.length === 1 && only !== undefined) return { value: only, format }
  const value = await packPages(files, { extension: extensionOf(to), codec: host.codec, time: host.now() })
  return { value, format: archiveFormat, pages: files }
}

/** Why a conversion was ended from outside. */
export function endOf({ signal, from, to }: Pick<ConvertRequest, 'signal' | 'from' | 'to'>): AppError {
  const reason: unknown = signal.reason
  if (reason instanceof AppError) return reason
  return new AppError('convert.timeout', { doing: `converting ${from} to ${to}` })
}
