/**
 * A render from request to document, as a list of steps. Read `state.ts` for what passes between them, then the steps
 * in the order of the list.
 */
import { type InspectRequest, inspectTemplate } from '../services/inspect.ts'
import type { Services } from '../services/services.ts'
import { type BatchRun, renderBatch } from './batch/render-batch.ts'
import type { BatchRequest } from './batch/split.ts'
import { withinDeadline } from './deadline.ts'
import { renderNestedWith } from './nested.ts'
import type { Rendered, RenderRequest, RenderTemplate } from './request.ts'
import type { RenderInput, RenderState, Stage, Step } from './state.ts'
import { applyStyles } from './steps/apply-styles.ts'
import { assemblePdf } from './steps/assemble-pdf.ts'
import { chooseOutput } from './steps/choose-output.ts'
import { convert } from './steps/convert.ts'
import { merge } from './steps/merge.ts'
import { nameResult } from './steps/name-result.ts'
import { resolveTarget } from './steps/resolve-target.ts'
import { forManyRenders, withExtension } from './template.ts'

/** What follows the merge, in this order. */
const steps: readonly Step[] = [applyStyles, chooseOutput, convert, assemblePdf]

export interface RenderBounds {
  readonly timeoutMs?: number
  /** Whose stored templates may be appended; absent: none. */
  readonly account?: string | undefined
  /** Called when a stage begins; once for each item of a batch. */
  readonly onStage?: (stage: Stage) => void
}

/**
 * Renders a template, or each item of a batch with it, within one deadline. Ends with 'api.render.timeout' at the
 * deadline and with 'api.aborted' when the caller leaves. What fails on the way is the documented 500 with its cause.
 */
export async function render(
  services: Services,
  given: RenderTemplate,
  request: RenderRequest,
  caller: AbortSignal,
  { timeoutMs = services.settings.renderTimeoutMs, onStage, account }: RenderBounds = {},
): Promise<Rendered> {
  const template = withExtension(services, given, request.extension)
  const rendered = await withinDeadline(services, caller, timeoutMs, ({ signal, at }) => {
    const context = { services, template, request, signal, deadline: at, account, onStage }
    return request.batch === undefined ? renderDocument(context) : renderItems(context, request.batch)
  })
  if (rendered.debug === undefined) return rendered
  const { sample } = await inspectTemplate(services, template, sampleOptions(request), caller)
  return { ...rendered, debug: { ...rendered.debug, sample } }
}

/** One document: all that the request asks for, the item of a batch, or a template that another one appends. */
async function renderDocument(input: RenderInput): Promise<Rendered> {
  const context = { ...input, renderNested: renderNestedWith(input, renderDocument) }
  let state: RenderState = await merge(context, resolveTarget(context))
  for (const step of steps) state = await step(context, state)
  return nameResult(context, state)
}

/** Each item of a batch, joined to one result. */
async function renderItems(input: RenderInput, batch: BatchRequest): Promise<Rendered> {
  const { services, request, signal, deadline } = input
  const template = forManyRenders(services, input.template)
  const { convertTo } = request
  const render: BatchRun['render'] = (item, options, itemSignal) => {
    const itemRequest = {
      ...request,
      data: item.data,
      ...(convertTo !== undefined && { convertTo: { ...convertTo, options } }),
    }
    return renderDocument({ ...input, template, request: itemRequest, signal: itemSignal, item })
  }
  return renderBatch(services, { batch, options: convertTo?.options, signal, deadline, render })
}

/** The debug mode also answers with made-up data that fits the template, which takes another look at it. */
function sampleOptions({ lang, variableStr, languageLevel }: RenderRequest): InspectRequest {
  return { languageLevel, ...(lang && { lang }), ...(variableStr && { variableStr }) }
}
