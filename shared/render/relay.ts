import { AppError } from '../errors/app-error.ts'
import type { ErrorCode } from '../errors/catalogue.ts'
import type { RelayedTerms, RenderRelay } from '../ports/index.ts'
import type { Services } from '../services/services.ts'
import type { RenderTemplate } from '../services/templates.ts'
import { withinDeadline } from './pipeline.ts'
import type { Rendered } from './request.ts'
import { sanitizeReportName } from './steps/name-result.ts'

/** Errors of a render that is too large for the memory of this host, but may not be for another host. */
const memoryErrors: readonly ErrorCode[] = [
  'api.field.memory',
  'package.too-large',
  'template.markup-items',
  'template.output',
]

/** The host to relay a failed render to, or undefined if no host could do better. */
export function largerHost({ relay }: Services, error: unknown): RenderRelay | undefined {
  for (let cause = error; cause instanceof AppError; cause = cause.cause)
    if (memoryErrors.includes(cause.code)) return relay
  return undefined
}

export interface RelayedResult extends Rendered {
  readonly credits: number
}

/**
 * Renders on another host, because the body is larger than this host can hold. Throws as `render` does, and
 * 'origin.down'.
 */
export async function renderRelayed(
  services: Services,
  relay: RenderRelay,
  request: RelayedTerms & {
    readonly template: RenderTemplate | undefined // undefined: it is part of the body
    readonly body: ReadableStream<Uint8Array>
  },
  caller: AbortSignal,
  timeoutMs = services.settings.renderTimeoutMs,
): Promise<RelayedResult> {
  const { template, body, ...terms } = request
  const source = await template?.source()
  return withinDeadline(services, caller, timeoutMs, async ({ signal, deadline }) => {
    const stored =
      template === undefined || source === undefined
        ? {}
        : {
            template: {
              format: template.format.id,
              hash: template.hash,
              ...(template.stored && { stored: template.stored }),
              source,
            },
          }
    const relayed = await relay.render({ ...terms, ...stored, body, deadline }, signal)
    const format = services.registry.format(relayed.format)
    if (format === undefined) throw new AppError('origin.down')
    const { source: document, warnings, manifest, credits } = relayed
    const name = sanitizeReportName(relayed.name, format.extensions[0])
    return { source: document, format, name, names: {}, warnings, ...(manifest && { manifest }), credits }
  })
}
