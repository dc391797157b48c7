import { AppError } from '../errors/app-error.ts'
import type { Services } from '../services/services.ts'
import type { RenderRequest } from './request.ts'

/** The watermark on every page of a document that was rendered with a test token. */
const testWatermark = {
  text: 'TEST',
  anchor: 'center',
  rotation: 45,
  opacity: 0.2,
  color: '#d00000',
  overFields: true, // nothing in the document may hide it
} as const
/**
 * A document has at most four watermarks. One of them is the test watermark, which leaves three to the
 * caller.
 */
const maxRequested = 3

/**
 * Adapts a request that was made with a test token: its output must be PDF, and the test watermark is added
 * to every page, over form fields, which cannot be filled then. `from` is the format id of the template. Throws
 * 'api.test-token' for any other output.
 */
export function forTestToken(
  { registry }: Pick<Services, 'registry'>,
  request: RenderRequest,
  from: string,
): RenderRequest {
  const { convertTo } = request
  const to = convertTo === undefined ? from : registry.formatByExtension(convertTo.name)?.id
  if (to !== 'pdf') throw new AppError('api.test-token')
  const requested = convertTo?.options?.['Watermarks']
  // An option that is null counts as absent. Anything else that is no list is refused later.
  const watermarks =
    requested === undefined || requested === null
      ? [testWatermark]
      : Array.isArray(requested)
        ? [...requested.slice(0, maxRequested), testWatermark]
        : requested
  // The embedded source would be the document without a watermark.
  const { IsAddStream: _, ...options } = convertTo?.options ?? {}
  return { ...request, convertTo: { name: 'pdf', options: { ...options, Watermarks: watermarks } } }
}
