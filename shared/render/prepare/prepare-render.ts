import { AppError } from '../../errors/app-error.ts'
import type { RelayedTerms } from '../../ports/index.ts'
import { creditsFor } from '../../services/accounts.ts'
import type { Services } from '../../services/services.ts'
import type { RenderTemplate } from '../../services/templates.ts'
import { checkBatch, documentSizes } from '../batch/check.ts'
import type { RenderRequest } from '../request.ts'
import { forTestToken } from '../test-tokens.ts'
import {
  allMembers,
  otherMembers,
  readRenderRequest,
  renderMembers,
  type SplitBody,
  splitBody,
} from './body.ts'
import { readTemplate } from './template.ts'

/** A render that is ready to run: everything that can be checked in advance has been. */
export interface PreparedRender {
  readonly template: RenderTemplate
  readonly request: RenderRequest
}

/**
 * Reads and checks the body of a render. The template is `stored` or part of the body. Throws the errors that
 * the contract defines for each mistake. Called by the route, by the worker of asynchronous renders, and by
 * an origin for its edge.
 */
export async function prepareRender(
  services: Services,
  terms: RelayedTerms,
  bytes: Uint8Array,
  stored: RenderTemplate | undefined,
  /** Set when the render starts immediately on this host. The operator's hook then runs and may change the request. */
  begins?: { readonly templateId: string | undefined },
  /** The items of a batch that follow the body, one on each line. */
  lines?: AsyncIterable<Uint8Array>,
): Promise<PreparedRender> {
  const { major, test, waits, egressAuthorization, provenance } = terms
  const isHooked = begins !== undefined && services.hooks?.beforeRender !== undefined
  const { maxParsedBytes } = services.settings
  const body = await splitBody(bytes, { ...(isHooked ? allMembers : renderMembers), maxParsedBytes })
  const template = stored ?? (await readTemplate(services, '', 'inline', body))
  const requested = readRenderRequest(isHooked ? await hooked(services, body, begins) : body, major, lines)
  const request: RenderRequest = {
    ...(test ? forTestToken(services, requested, template.format.id) : requested),
    ...(egressAuthorization === undefined ? {} : { egressAuthorization }),
    ...(provenance && requested.provenance === undefined && { provenance: {} }),
  }
  const { batch, convertTo } = request
  if ((batch ?? request).data === undefined && major < 5) throw new AppError('api.render.no-data')
  if (batch !== undefined && lines === undefined && batch.dataUrl === undefined)
    await checkBatch(services, batch, convertTo, waits)
  return { template, request }
}

/** The price in credits of the documents of a request, on a hosted service. */
export async function priceOf(services: Services, request: RenderRequest): Promise<number> {
  return creditsFor(await documentSizes(services, request))
}

/** Passes the body to the hook of the operator and splits the body that it returns. */
async function hooked(
  { hooks }: Services,
  body: SplitBody,
  { templateId }: { readonly templateId: string | undefined },
): Promise<SplitBody> {
  if (hooks?.beforeRender === undefined) return body
  const changed = await hooks.beforeRender(templateId, otherMembers(body, ['template']))
  return splitBody(new TextEncoder().encode(JSON.stringify(changed)), renderMembers)
}
