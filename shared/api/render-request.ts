import { AppError } from '../errors/app-error.ts'
import type { RelayedTerms } from '../ports/index.ts'
import { creditsFor } from '../services/accounts.ts'
import { checkBatch, documentSizes } from '../services/batch.ts'
import type { RenderRequest, RenderTemplate } from '../services/render.ts'
import type { Services } from '../services/services.ts'
import { forTestToken } from '../services/test-tokens.ts'
import { readRenderRequest, type SplitBody } from './render-body.ts'
import { readTemplate } from './render-template.ts'

/** A render that may begin: everything that shows before the work has been checked. */
export interface PreparedRender {
  readonly template: RenderTemplate
  readonly request: RenderRequest
  readonly credits: number // what its documents amount to where they are counted
}

/**
 * Reads the body of a render, whose template is `known` or comes in it. Throws what the contract says of each.
 * Asked by the route, by the worker of asynchronous renders, and by an origin for its edge.
 */
export async function prepareRender(
  services: Services,
  terms: RelayedTerms,
  body: SplitBody,
  known: RenderTemplate | undefined,
): Promise<PreparedRender> {
  const { major, test, waits, egressAuthorization } = terms
  const template = known ?? (await readTemplate(services, '', 'inline', body))
  const asked = readRenderRequest(body, major)
  const request: RenderRequest = {
    ...(test ? forTestToken(services, asked, template.format.id) : asked),
    ...(egressAuthorization === undefined ? {} : { egressAuthorization }),
  }
  const { batch, convertTo } = request
  if ((batch ?? request).data === undefined && major < 5) throw new AppError('api.render.no-data')
  if (batch !== undefined) checkBatch(services, batch, convertTo, waits)
  return { template, request, credits: creditsFor(documentSizes(services, request)) }
}
