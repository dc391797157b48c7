import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { chunksOf, createByteReader } from '../shared/byte-reader.ts'
import { concatBytes } from '../shared/bytes.ts'
import { closureOf } from '../shared/convert/closure.ts'
import type { Converter } from '../shared/convert/converter.ts'
import { AppError } from '../shared/errors/app-error.ts'
import type { Conversion } from '../shared/plugin/contract.ts'
import type { Clock } from '../shared/ports/index.ts'
import { digestOf } from '../shared/remote/signature.ts'
import {
  engineHeader,
  formatHeader,
  lettersHeader,
  maxJobBytes,
  pageCountHeader,
  type RemoteJob,
  readJob,
  resultHeader,
  routes,
  warningsHeader,
  writeWarnings,
} from '../shared/remote/wire.ts'
import { afterResponse } from './after-response.ts'
import { beforeDeadline, type Internal, sendSource, traceOfRequest, whileConnected } from './internal.ts'
import { type Spooled, spool } from './spooled-source.ts'

export interface InternalConvertParts {
  readonly internal: Internal
  readonly converter: Converter
  readonly clock: Clock
  /** The maximum size of a source. It exceeds the upload limit because merging makes templates grow. */
  readonly maxBytes?: number
  /** The maximum duration of a job in milliseconds. It caps the `remainingMs` that the edge sends. */
  readonly maxMs?: number
}

/**
 * Registers the routes through which an edge sends conversions to this origin (`shared/remote/wire.ts`). Call
 * it only when a secret is configured. The signature is checked before any byte of the body is read.
 */
export function registerInternalConvert(app: FastifyInstance, parts: InternalConvertParts): void {
  const { converter, clock, internal, maxBytes = 256 * 1024 * 1024, maxMs = 300_000 } = parts
  const { verified, answering } = internal
  let conversions: readonly Conversion[] | undefined

  app.get(routes.conversions, (request, reply) =>
    answering(reply, async () => {
      await verified(request, 'GET', routes.conversions)
      conversions ??= closureOf(converter.conversions())
      return reply.header(resultHeader, 'done').send({ conversions })
    }),
  )

  app.post(routes.convert, (request, reply) =>
    answering(reply, async () => {
      const { jobDigest, bodyDigest } = await verified(request, 'POST', routes.convert)
      const { job, spooled } = await readBody(request, {
        body: internal.bodyOf(request),
        jobDigest,
        bodyDigest,
        maxBytes,
        maxMs,
      })
      try {
        const remainingMs = Math.min(Math.max(job.remainingMs, 0), maxMs)
        const { value, format, warnings, engines, letters, pageCount } = await converter.convert({
          source: spooled.source,
          from: job.from,
          to: job.to,
          options: job.options,
          letter: job.letter,
          hardRefresh: job.hardRefresh,
          ...(job.egressAuthorization !== undefined && { egressAuthorization: job.egressAuthorization }),
          client: job.client && { ...job.client, trace: traceOfRequest(request) },
          deadline: clock.now() + remainingMs,
          signal: AbortSignal.any([whileConnected(reply), AbortSignal.timeout(remainingMs)]),
        })
        reply.headers({
          'content-type': 'application/octet-stream',
          'content-length': String(value.size),
          [resultHeader]: 'done',
          [warningsHeader]: writeWarnings(warnings),
          [engineHeader]: engines.join(','),
          [lettersHeader]: letters.join(','),
          ...(format !== job.to && { [formatHeader]: format }),
          ...(pageCount !== undefined && { [pageCountHeader]: String(pageCount) }),
        })
        // The result may be the source itself, so the source stays open until the response has been sent.
        afterResponse(reply, () => spooled.close())
        return sendSource(reply, value)
      } catch (error) {
        await spooled.close()
        throw error
      }
    }),
  )
}

/**
 * Reads the body of a job: four bytes with the length of the job, the job as JSON, then the source. Throws
 * 'origin.invalid' for a malformed body, 'origin.refused' when a digest does not match, 'api.body.cut', and
 * 'api.body.slow' when the body takes longer than the job may.
 */
async function readBody(
  request: FastifyRequest,
  expected: {
    readonly body: ReadableStream<Uint8Array>
    readonly jobDigest: string
    readonly bodyDigest: string
    readonly maxBytes: number
    readonly maxMs: number
  },
): Promise<{ readonly job: RemoteJob; readonly spooled: Spooled }> {
  const length = Number(request.headers['content-length'])
  if (!Number.isSafeInteger(length) || length < 4 || length > expected.maxBytes + maxJobBytes + 4) {
    throw new AppError('origin.invalid')
  }
  const reader = createByteReader(expected.body)
  const head = await reader.take(4)
  const size = head && new DataView(head.buffer, head.byteOffset).getUint32(0)
  if (head === undefined || size === undefined || 4 + size > length || size > maxJobBytes)
    throw new AppError('origin.invalid')
  const text = await reader.take(size)
  if (text === undefined) throw new AppError('origin.invalid')
  if ((await digestOf(concatBytes([head, text], 4 + size))) !== expected.jobDigest)
    throw new AppError('origin.refused')
  const job = readJob(text)
  if (job === undefined) throw new AppError('origin.invalid')
  const digest = createHash('sha256')
  const spooled = await spool(
    chunksOf(beforeDeadline(reader.rest(), Math.min(job.remainingMs, expected.maxMs))),
    length - 4 - size,
    (chunk) => void digest.update(chunk),
  )
  if (expected.bodyDigest === '' || digest.digest('hex') === expected.bodyDigest) return { job, spooled }
  await spooled.close()
  throw new AppError('origin.refused')
}
