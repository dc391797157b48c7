import { AppError } from '../shared/errors/app-error.ts'
import { fromBytes } from '../shared/plugin/byte-source.ts'
import type { RelayedDocument, RelayedRender, RenderRelay } from '../shared/ports/index.ts'
import type { StoredTemplate } from '../shared/ports/relay.ts'
import {
  creditsHeader,
  decodeManifest,
  manifestHeader,
  nameHeader,
  type RemoteRender,
  renderRoute,
} from '../shared/remote/render-wire.ts'
import { digestOf, sign } from '../shared/remote/signature.ts'
import { formatHeader, frameJob } from '../shared/remote/wire.ts'
import { traceHeaders } from '../shared/trace.ts'
import { type Origins, readAnswer } from './origins.ts'

/**
 * Relays renders whose body is too large for an isolate. The body is streamed to an origin, which does not
 * store it.
 */
export function createOriginRelay(settings: {
  readonly origins: Origins
  readonly secret: string
  readonly aboveBytes: number
  readonly now: () => number
}): RenderRelay {
  const { origins, secret, aboveBytes, now } = settings
  return { aboveBytes, render }

  async function render(job: RelayedRender, signal: AbortSignal): Promise<RelayedDocument> {
    const { template, body, deadline, trace, ...terms } = job
    const stored = template === undefined ? {} : { template: { ...template, size: template.source.size } }
    const head: RemoteRender = { ...terms, ...withoutSource(stored), remainingMs: deadline - now() }
    const framed = frameJob(head)
    const flow = { begun: false, failure: undefined as unknown }
    try {
      return await origins.request(
        { signal, deadline },
        async (url, attemptSignal) => {
          // The platform may read from the body before it finds the origin unreachable, and the body cannot be sent a
          // second time. So check first that the origin responds.
          if (!(await origins.isReady(url, attemptSignal))) return { error: undefined, status: 503 }
          const parts = {
            method: 'POST',
            route: renderRoute,
            jobDigest: await digestOf(framed),
            bodyDigest: '',
          } as const
          const answer = await fetch(url + renderRoute, {
            method: 'POST',
            headers: {
              ...(await sign(secret, parts, now())),
              ...traceHeaders(trace),
              'content-type': 'application/octet-stream',
            },
            body: concatenated(
              [fromBytes(framed).stream(), ...(template ? [template.source.stream()] : [])],
              body,
              flow,
            ),
            redirect: 'manual',
            signal: attemptSignal,
          })
          return readAnswer(answer, ({ value, warnings }, headers) => {
            const format = headers.get(formatHeader)
            const credits = Number(headers.get(creditsHeader) ?? 1)
            if (format === null || !Number.isSafeInteger(credits)) return undefined
            const manifest = decodeManifest(headers.get(manifestHeader))
            return {
              source: value,
              format,
              name: decoded(headers.get(nameHeader)),
              warnings,
              ...(manifest && { manifest }),
              credits,
            }
          })
        },
        () => !flow.begun,
      )
    } catch (error) {
      // A truncated or oversized body is an error of the sender and not of the origin.
      throw flow.failure instanceof AppError ? flow.failure : error
    }
  }
}

function withoutSource(stored: {
  readonly template?: StoredTemplate & { readonly size: number }
}): Pick<RemoteRender, 'template'> {
  if (stored.template === undefined) return {}
  const { format, hash, size, stored: ids } = stored.template
  return { template: { format, hash, size, ...(ids && { stored: ids }) } }
}

/**
 * Concatenates the streams that can be created again for another origin, and the body of the caller, which
 * can be read only once. Sets `flow.begun` when the body starts, and `flow.failure` when reading it fails.
 */
function concatenated(
  repeatable: readonly ReadableStream<Uint8Array>[],
  body: ReadableStream<Uint8Array>,
  flow: { begun: boolean; failure: unknown },
): ReadableStream<Uint8Array> {
  const { readable, writable } = new IdentityTransformStream()
  const send = async () => {
    for (const stream of repeatable) await stream.pipeTo(writable, { preventClose: true })
    const writer = writable.getWriter()
    flow.begun = true
    const reader = body.getReader()
    try {
      while (true) {
        const { value, done } = await reader.read().catch((error: unknown) => {
          flow.failure = error
          throw error
        })
        if (done) break
        await writer.write(value)
      }
      await writer.close()
    } finally {
      reader.releaseLock()
      writer.releaseLock()
    }
  }
  send().catch((error) => writable.abort(error).catch(() => undefined))
  return readable
}

function decoded(name: string | null): string {
  try {
    return decodeURIComponent(name ?? '')
  } catch {
    return ''
  }
}
