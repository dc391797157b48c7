import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Converter } from '../shared/convert/run.ts'
import { AppError } from '../shared/errors/app-error.ts'
import { toAppError } from '../shared/errors/problem.ts'
import { fromBytes } from '../shared/plugin/byte-source.ts'
import type { Conversion, Log } from '../shared/plugin/contract.ts'
import type { Clock } from '../shared/ports/index.ts'
import { closureOf } from '../shared/remote/closure.ts'
import { createVerifier, digestOf } from '../shared/remote/signature.ts'
import {
  engineHeader,
  formatHeader,
  longestJob,
  type RemoteJob,
  readJob,
  resultHeader,
  routes,
  warningsHeader,
  writeError,
  writeWarnings,
} from '../shared/remote/wire.ts'

export interface InternalConvertParts {
  readonly converter: Converter
  readonly clock: Clock
  readonly log: Log
  readonly secret: string // SERVICE_ORIGIN_SECRET
  /** As `createVerifier` wants it, where several origins share a memory. */
  readonly once?: ((text: string, ms: number) => Promise<boolean>) | undefined
  /** Of a source. What templates grow to by merging is above what may be uploaded. */
  readonly maxBytes?: number
  /** The longest a job may take, whatever the edge says. */
  readonly maxMs?: number
}

/**
 * The routes by which an edge hands conversions to this origin (`shared/remote/wire.ts`). Registered only where a
 * secret is configured. The signature is checked before a byte of the body is read.
 */
export function registerInternalConvert(app: FastifyInstance, parts: InternalConvertParts): void {
  const { converter, clock, log, maxBytes = 256 * 1024 * 1024, maxMs = 300_000 } = parts
  const verify = createVerifier(parts.secret, clock.now, parts.once)
  let conversions: readonly Conversion[] | undefined

  app.get(routes.conversions, (request, reply) =>
    answering(reply, async () => {
      await verified(request, 'GET', routes.conversions)
      conversions ??= closureOf(converter.arrows())
      return reply.header(resultHeader, 'done').send({ conversions })
    }),
  )

  app.post(routes.convert, (request, reply) =>
    answering(reply, async () => {
      const { jobDigest, bodyDigest } = await verified(request, 'POST', routes.convert)
      const { job, source } = await readBody(request, { jobDigest, bodyDigest, maxBytes })
      const remainingMs = Math.min(Math.max(job.remainingMs, 0), maxMs)
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort(new AppError('api.aborted')))
      const late = AbortSignal.timeout(remainingMs)
      const { value, format, warnings, engines } = await converter.convert({
        source: fromBytes(source),
        from: job.from,
        to: job.to,
        options: job.options,
        letter: job.letter,
        hardRefresh: job.hardRefresh,
        ...(job.egressAuthorization !== undefined && { egressAuthorization: job.egressAuthorization }),
        deadline: clock.now() + remainingMs,
        signal: AbortSignal.any([gone.signal, late]),
      })
      reply.headers({
        'content-type': 'application/octet-stream',
        'content-length': String(value.size),
        [resultHeader]: 'done',
        [warningsHeader]: writeWarnings(warnings),
        [engineHeader]: engines.join(','),
        ...(format !== job.to && { [formatHeader]: format }),
      })
      const { view } = value
      if (view !== undefined) return reply.send(Buffer.from(view.buffer, view.byteOffset, view.byteLength))
      return reply.send(Readable.fromWeb(value.stream() as never))
    }),
  )

  async function verified(request: FastifyRequest, method: 'GET' | 'POST', route: string) {
    const header = (name: string) => {
      const value = request.headers[name]
      return typeof value === 'string' ? value : undefined
    }
    const found = await verify({ method, route, header })
    if (found.ok) return found
    log.warn('origin.refused', { because: found.because })
    throw new AppError('origin.refused')
  }

  async function answering(reply: FastifyReply, work: () => Promise<unknown>): Promise<unknown> {
    try {
      return await work()
    } catch (thrown) {
      const error = toAppError(thrown)
      if (error.blame === 'us') log.error('origin.failed', { code: error.code, cause: error.cause })
      if (!reply.request.raw.readableEnded) reply.header('connection', 'close')
      return reply.code(error.status).header(resultHeader, 'error').send(writeError(error))
    }
  }
}

/** The job in front of the body, then the source. Throws 'origin.invalid', 'origin.refused', 'api.body.cut'. */
async function readBody(
  request: FastifyRequest,
  expected: { readonly jobDigest: string; readonly bodyDigest: string; readonly maxBytes: number },
): Promise<{ readonly job: RemoteJob; readonly source: Uint8Array }> {
  const length = Number(request.headers['content-length'])
  if (!Number.isSafeInteger(length) || length < 4 || length > expected.maxBytes + longestJob + 4) {
    throw new AppError('origin.invalid')
  }
  const body = new Uint8Array(length)
  let filled = 0
  for await (const chunk of request.raw as AsyncIterable<Uint8Array>) {
    body.set(chunk, filled)
    filled += chunk.byteLength
  }
  if (filled !== length) throw new AppError('origin.invalid')
  const jobEnd = 4 + new DataView(body.buffer).getUint32(0)
  if (jobEnd > length || jobEnd > longestJob) throw new AppError('origin.invalid')
  if ((await digestOf(body.subarray(0, jobEnd))) !== expected.jobDigest) throw new AppError('origin.refused')
  const source = body.subarray(jobEnd)
  if (expected.bodyDigest !== '' && (await digestOf(source)) !== expected.bodyDigest) {
    throw new AppError('origin.refused')
  }
  const job = readJob(body.subarray(4, jobEnd))
  if (job === undefined) throw new AppError('origin.invalid')
  return { job, source }
}
