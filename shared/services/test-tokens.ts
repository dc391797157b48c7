import { AppError } from '../errors/app-error.ts'
import type { RenderRequest } from '../render/request.ts'
import type { Services } from './services.ts'

/** What shows on every page that a test token made. */
const mark = {
  text: 'TEST',
  anchor: 'center',
  rotation: 45,
  opacity: 0.2,
  color: '#d00000',
  size: 110,
} as const
/** A document has at most four watermarks; one of them is ours. */
const mostOwn = 3

/**
 * A render for a test token: PDF alone, marked on every page whichever pages and options were asked for.
 * `from` is the template's format. Throws 'api.test-token'.
 */
export function forTestToken(
  { registry }: Pick<Services, 'registry'>,
  request: RenderRequest,
  from: string,
): RenderRequest {
  const { convertTo } = request
  const to = convertTo === undefined ? from : registry.formatByExtension(convertTo.name)?.id
  if (to !== 'pdf') throw new AppError('api.test-token')
  const asked = convertTo?.options?.['Watermarks']
  const watermarks =
    asked === undefined ? [mark] : Array.isArray(asked) ? [...asked.slice(0, mostOwn), mark] : asked
  return {
    ...request,
    convertTo: { name: 'pdf', options: { ...convertTo?.options, Watermarks: watermarks } },
  }
}
