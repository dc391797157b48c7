/**
 * A render from request to document, as a list of steps. Read `state.ts` for what passes between them, then the steps
 * in the order of the list.
 */

import { AppError } from '../errors/app-error.ts'
import { toRenderError } from '../errors/problem.ts'
import { checkJsonObject } from '../json/split.ts'
import type { Client } from '../plugin/values.ts'
import type { Services } from '../services/services.ts'
import type { RenderTemplate } from '../services/templates.ts'
import { batchOutcomes, type RenderItem } from './batch/outcomes.ts'
import { type BatchProgress, type BatchRun, renderBatch } from './batch/render-batch.ts'
import { type BatchRequest, itemsOf } from './batch/split.ts'
import { type BatchStream, type OnReport, type StreamKind, streamBatch } from './batch/stream-batch.ts'
import { type InspectRequest, inspectTemplate } from './inspect.ts'
import { renderInvoice, renderNested } from './nested.ts'
import type { Rendered, RenderRequest } from './request.ts'
import { readSignatures, signSource } from './sign-source.ts'
import type { PipelineContext, RenderInput, Stage } from './state.ts'
import { addManifest, describe, draftOf } from './steps/add-manifest.ts'
import { applyStyles } from './steps/apply-styles.ts'
import { assemblePdf } from './steps/assemble-pdf.ts'
import { checkInvoice } from './steps/check-invoice.ts'
import { chooseOutput, convert, resolveTarget } from './steps/convert.ts'
import { merge } from './steps/merge.ts'
import { nameResult } from './steps/name-result.ts'
import { sign } from './steps/sign.ts'
import { forManyRenders, withExtension } from './template.ts'

export interface RenderBounds {
  readonly timeoutMs?: number
  /** The account whose stored templates may be appended; absent if there is none. */
  readonly account?: string | undefined
  /** The client whose conversions share a slot in queues. Absent: the account, as a caller that waits for its response. */
  readonly client?: Client | undefined
  /** Called when a stage begins; once for each item of a batch. */
  readonly onStage?: (stage: Stage) => void
  /** Called after each item of a batch. */
  readonly onProgress?: ((progress: BatchProgress) => void) | undefined
}

/**
 * Renders a template, or each item of a batch with it, within one deadline. Throws 'api.render.timeout' at the deadline
 * and 'api.aborted' when the caller leaves. Other failures become the documented 500 with their cause.
 */
export async function render(
  services: Services,
  original: RenderTemplate,
  request: RenderRequest,
  caller: AbortSignal,
  { timeoutMs = services.settings.renderTimeoutMs, onStage, onProgress, account, client }: RenderBounds = {},
): Promise<Rendered> {
  const template = await withExtension(services, original, request.extension)
  const document = await withinDeadline(services, caller, timeoutMs, async ({ signal, deadline }) => {
    const signatures = request.sign === undefined ? undefined : await readSignatures(services, request)
    const waitingClient = client ?? (account === undefined ? undefined : { account })
    const actor = { account, client: waitingClient, onStage }
    const context = { services, template, request, signal, deadline, signatures, ...actor }
    return request.batch === undefined
      ? renderDocument(context)
      : renderItems(context, request.batch, onProgress)
  })
  const rendered = { ...document, warnings: [...(request.warnings ?? []), ...document.warnings] }
  if (rendered.debug === undefined) return rendered
  const { sample } = await inspectTemplate(services, template, sampleOptions(request), caller)
  return { ...rendered, debug: { ...rendered.debug, sample } }
}

export interface ItemCharge {
  settle(): Promise<void>
  refund(): Promise<void>
}

export interface StreamBounds extends Pick<RenderBounds, 'timeoutMs' | 'account' | 'client'> {
  readonly kind: StreamKind
  /**
   * Charges the credits for an item with this number of bytes of data. One of the returned functions is called when the item
   * has succeeded or failed.
   */
  readonly charge?: ((dataBytes: number) => Promise<ItemCharge>) | undefined
  readonly onReport?: OnReport | undefined
}

/**
 * Renders each item of a batch with its own deadline and sends the reports as they finish. Resolves when the first outcome is
 * known. Throws what `streamBatch` throws.
 */
export async function renderStream(
  services: Services,
  original: RenderTemplate,
  request: RenderRequest & { readonly batch: BatchRequest },
  caller: AbortSignal,
  { timeoutMs = services.settings.renderTimeoutMs, kind, charge, onReport, account, client }: StreamBounds,
): Promise<BatchStream> {
  const { batch, convertTo } = request
  const template = forManyRenders(services, await withExtension(services, original, request.extension))
  const signatures = request.sign === undefined ? undefined : await readSignatures(services, request)
  const waitingClient = client ?? (account === undefined ? undefined : { account })
  const render: RenderItem = async (item, options, itemSignal) => {
    const { data } = item
    const size = 'text' in data ? await checkedItem(services, data.text) : 0
    const charged = await charge?.(size)
    try {
      const itemRequest = {
        ...request,
        data,
        ...(convertTo !== undefined && { convertTo: { ...convertTo, options } }),
      }
      const actor = { account, client: waitingClient, signatures }
      const document = await withTimeLimit(services, itemSignal, timeoutMs, ({ signal, deadline }) =>
        renderDocument({ services, template, request: itemRequest, signal, deadline, item, ...actor }),
      )
      await charged?.settle()
      return document
    } catch (error) {
      await charged?.refund()
      // The deadline of one item has passed, not that of the request.
      const isLate = error instanceof AppError && error.code === 'api.render.timeout'
      throw isLate ? new AppError('api.batch.timeout', { ms: timeoutMs }, { cause: error }) : error
    }
  }
  const items = itemsOf(services, batch)
  const work = { items, options: convertTo?.options, signal: caller, render }
  return streamBatch(services, batch, batchOutcomes(services, work), { kind, onReport })
}

/** Checks the JSON of one item and returns its size in bytes. */
async function checkedItem({ settings }: Services, text: string | Uint8Array): Promise<number> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  await checkJsonObject(bytes, { field: 'data', maxParsedBytes: settings.maxParsedBytes })
  return bytes.length
}

/** Renders one document: that of the request, of one item of a batch, or of a template that another one appends. */
async function renderDocument(input: RenderInput): Promise<Rendered> {
  const context: PipelineContext = {
    ...input,
    renderInvoice: (template) => renderInvoice(input, renderDocument, template),
    renderNested: (template, data, merged) =>
      renderNested(input, renderDocument, { template, data, lang: merged?.tagOptions.lang }),
  }
  let state = await merge(context, resolveTarget(context))
  const styleSource = state.merged?.tagOptions.styleSource
  if (styleSource !== undefined) state = await applyStyles(context, state, styleSource)
  state = await chooseOutput(context, state)
  state = await convert(context, state)
  const assembly = state.output?.assembly
  if (assembly !== undefined) state = await assemblePdf(context, state, assembly)
  if (input.request.invoice !== undefined) state = await checkInvoice(context, state, input.request.invoice)
  const { provenance } = input.request
  // A template that another one appends is part of a document that has a manifest as a whole.
  if (provenance !== undefined && !input.isNested) state = await addManifest(context, state, provenance)
  if (input.signatures !== undefined) state = await sign(context, state, input.signatures)
  return nameResult(context, state)
}

/** Renders each item of a batch and joins the documents to one result. */
async function renderItems(
  input: RenderInput,
  batch: BatchRequest,
  onProgress: RenderBounds['onProgress'],
): Promise<Rendered> {
  const { services, request, signal, deadline } = input
  const template = forManyRenders(services, input.template)
  const { convertTo } = request
  const isJoined = batch.output === 'pdf'
  /** The engines that converted any of the reports. */
  const converters = new Set<string>()
  const render: BatchRun['render'] = async (item, options, itemSignal) => {
    const itemRequest = {
      ...request,
      data: item.data,
      ...(convertTo !== undefined && { convertTo: { ...convertTo, options } }),
      // Only the joined document has a manifest.
      ...(isJoined && { provenance: undefined }),
    }
    const signatures = isJoined ? undefined : input.signatures
    const itemInput = { ...input, template, request: itemRequest, signal: itemSignal, item, signatures }
    const report = await renderDocument(itemInput)
    for (const letter of report.converters ?? []) converters.add(letter)
    return report
  }
  const rendered = await renderBatch(services, {
    batch,
    options: convertTo?.options,
    signal,
    deadline,
    render,
    onProgress,
  })
  return isJoined ? finishJoined(input, rendered, [...converters]) : rendered
}

/** Adds a manifest and signatures to the joined document, which each report would get otherwise. */
async function finishJoined(
  { services, template, request, signatures, signal }: RenderInput,
  joined: Rendered,
  converters: readonly string[],
): Promise<Rendered> {
  const { provenance } = request
  let rendered = joined
  if (provenance !== undefined) {
    const format = rendered.format.id
    const draft = await draftOf(services, { template, request, provenance, converters, format })
    const { value, warnings } = await describe(services, rendered.source, { draft, provenance, signal })
    rendered = { ...rendered, ...value, warnings: [...rendered.warnings, ...warnings] }
  }
  if (signatures === undefined) return rendered
  const signed = await signSource(services, rendered.source, { signatures, positions: [], signal })
  return { ...rendered, source: signed.value, warnings: [...rendered.warnings, ...signed.warnings] }
}

/** The debug mode also returns sample data that fits the template, which takes an inspection of the template. */
function sampleOptions({ lang, variableStr, languageLevel }: RenderRequest): InspectRequest {
  return { languageLevel, ...(lang && { lang }), ...(variableStr && { variableStr }) }
}

/**
 * Whether the error says more than that the deadline has passed: the work waited in a queue and hardly began, or did not
 * begin at all.
 */
function isWait(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'convert.busy' || error.code === 'convert.waited')
}

export interface RenderBudget {
  readonly signal: AbortSignal
  readonly deadline: number // ms since the epoch
}

/**
 * Runs work of a render with a deadline. Throws 'api.render.timeout' when the deadline passes and 'api.aborted' when the
 * caller leaves. Other failures of the work become the documented 500 with their cause.
 */
export async function withinDeadline<T>(...timed: Parameters<typeof withTimeLimit<T>>): Promise<T> {
  try {
    return await withTimeLimit(...timed)
  } catch (error) {
    throw toRenderError(error)
  }
}

/** As `withinDeadline`, but other failures of the work are thrown as they are. */
async function withTimeLimit<T>(
  { clock }: Pick<Services, 'clock'>,
  caller: AbortSignal,
  timeoutMs: number,
  work: (budget: RenderBudget) => Promise<T>,
): Promise<T> {
  const deadline = clock.now() + timeoutMs
  const control = new AbortController()
  const leave = () => control.abort(new AppError('api.aborted'))
  const timeOut = () => control.abort(new AppError('api.render.timeout', { ms: timeoutMs }))
  const timer = setTimeout(timeOut, timeoutMs)
  caller.addEventListener('abort', leave, { once: true })
  if (caller.aborted) leave()
  try {
    return await work({ signal: control.signal, deadline })
  } catch (error) {
    // Downloads and other templates that still run beside the part that failed are stopped with it.
    control.abort(error)
    throw isWait(error) ? error : control.signal.reason
  } finally {
    clearTimeout(timer)
    caller.removeEventListener('abort', leave)
  }
}
