import type { FastifyInstance } from 'fastify'
import { chunksOf, createByteReader } from '../shared/byte-reader.ts'
import { concatBytes } from '../shared/bytes.ts'
import { AppError } from '../shared/errors/app-error.ts'
import { fromBytes } from '../shared/plugin/byte-source.ts'
import type { Warning } from '../shared/plugin/values.ts'
import {
  creditsHeader,
  encodeManifest,
  manifestHeader,
  nameHeader,
  type RemoteRender,
  readRemoteRender,
  renderRoute,
} from '../shared/remote/render-wire.ts'
import { digestOf } from '../shared/remote/signature.ts'
import {
  formatHeader,
  maxJobBytes,
  resultHeader,
  warningsHeader,
  writeWarnings,
} from '../shared/remote/wire.ts'
import { render } from '../shared/render/pipeline.ts'
import { prepareRender, priceOf } from '../shared/render/prepare/prepare-render.ts'
import { discardFile } from '../shared/services/discard-file.ts'
import type { Services } from '../shared/services/services.ts'
import type { RenderTemplate } from '../shared/services/templates.ts'
import { afterResponse } from './after-response.ts'
import { beforeDeadline, type Internal, sendSource, traceOfRequest, whileConnected } from './internal.ts'

/** The maximum duration of a render in milliseconds. It caps the `remainingMs` that the edge sends. */
const maxMs = 300_000

/**
 * Registers the route through which an edge sends a complete render whose body is too large for its memory
 * (`shared/remote/render-wire.ts`). The edge has already authenticated the caller, and the origin stores
 * nothing of it.
 */
export function registerInternalRender(app: FastifyInstance, services: Services, internal: Internal): void {
  app.post(renderRoute, (request, reply) =>
    internal.answering(reply, async () => {
      const { jobDigest } = await internal.verified(request, 'POST', renderRoute)
      if (services.lifecycle.stopping) throw new AppError('api.stopping')
      const body = await readParts(services, internal.bodyOf(request), jobDigest)
      const { remainingMs, template: attached, ...terms } = body.head
      const stored = attached === undefined ? undefined : attachedTemplate(services, attached, body.template)
      const { template, request: options } = await prepareRender(services, terms, body.json, stored)
      const credits = await priceOf(services, options)
      const timeoutMs = Math.min(Math.max(remainingMs, 0), maxMs)
      const client = { account: '', trace: traceOfRequest(request) }
      const result = await render(services, template, options, whileConnected(reply), { timeoutMs, client })
      const { spool } = result
      if (spool !== undefined) afterResponse(reply, () => discardFile(services, spool))
      const manifest = result.manifest && encodeManifest(result.manifest)
      reply.headers({
        'content-type': 'application/octet-stream',
        'content-length': String(result.source.size),
        [resultHeader]: 'done',
        [warningsHeader]: writeWarnings(
          result.manifest !== undefined && manifest === undefined
            ? [...result.warnings, manifestNotSent]
            : result.warnings,
        ),
        ...(manifest !== undefined && { [manifestHeader]: manifest }),
        [formatHeader]: result.format.id,
        [nameHeader]: encodeURIComponent(result.name.toWellFormed()),
        [creditsHeader]: String(credits),
      })
      return sendSource(reply, result.source)
    }),
  )
}

const manifestNotSent: Warning = {
  code: 'provenance.not-stored',
  message: 'The manifest is too long to be sent beside the document, so it is only inside a PDF.',
}

/** A stored template that the edge sent along, as the render pipeline reads templates. */
function attachedTemplate(
  { registry }: Services,
  { format: id, hash, stored }: NonNullable<RemoteRender['template']>,
  bytes: Uint8Array,
): RenderTemplate {
  const format = registry.format(id)
  if (format === undefined) throw new AppError('api.template.unreadable')
  const source = fromBytes(bytes)
  return { format, hash, ...(stored && { stored }), source: async () => source, bytes: async () => bytes }
}

/**
 * Reads the body of a relayed render: the head with its length, the template, the JSON body of the caller.
 * Throws 'api.body.cut', 'api.body.slow', 'origin.refused' when the head does not match `jobDigest`, 'origin.invalid',
 * 'api.json.too-large'.
 */
async function readParts(
  { settings }: Services,
  received: ReadableStream<Uint8Array>,
  jobDigest: string,
): Promise<{ readonly head: RemoteRender; readonly template: Uint8Array; readonly json: Uint8Array }> {
  const reader = createByteReader(received)
  const take = async (length: number) => {
    const bytes = await reader.take(length)
    if (bytes === undefined) throw new AppError('api.body.cut')
    return bytes
  }
  const length = await take(4)
  const size = new DataView(length.buffer, length.byteOffset).getUint32(0)
  if (size > maxJobBytes) throw new AppError('origin.invalid')
  const text = await take(size)
  if ((await digestOf(concatBytes([length, text], 4 + size))) !== jobDigest)
    throw new AppError('origin.refused')
  const head = readRemoteRender(text)
  if (head === undefined) throw new AppError('origin.invalid')
  const templateSize = head.template?.size ?? 0
  if (templateSize > settings.maxTemplateBytes) throw new AppError('origin.invalid')
  const rest = createByteReader(beforeDeadline(reader.rest(), Math.min(head.remainingMs, maxMs)))
  const template = await rest.take(templateSize)
  if (template === undefined) throw new AppError('api.body.cut')
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunksOf(rest.rest())) {
    bytes += chunk.byteLength
    if (bytes > settings.maxDataBytes)
      throw new AppError('api.json.too-large', { limit: settings.maxDataBytes })
    chunks.push(chunk)
  }
  return { head, template, json: concatBytes(chunks, bytes) }
}
