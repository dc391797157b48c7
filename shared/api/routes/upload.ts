import { Type } from 'typebox'
import { createBase64Decoder, decodeBase64 } from '../../base64.ts'
import { createByteCollector } from '../../byte-collector.ts'
import { chunksOf } from '../../byte-reader.ts'
import { concatBytes } from '../../bytes.ts'
import { setEntry } from '../../entry-of.ts'
import { AppError } from '../../errors/app-error.ts'
import { type BodyFields, maxFieldBytes, parseJson, skipSpace } from '../../json/split.ts'
import { createJsonSplitter } from '../../json/split-stream.ts'
import type { SniffHint } from '../../plugin/registry.ts'
import { deployRule } from '../../render/checks/run-checks.ts'
import { memberBase64, memberMediaType, splitBody } from '../../render/prepare/body.ts'
import { uploadBody } from '../../schemas/metadata.ts'
import { testTemplateSeconds } from '../../services/accounts.ts'
import { type Services, seconds } from '../../services/services.ts'
import { type Uploaded, type UploadFields, uploadTemplate } from '../../services/uploads.ts'
import { type Call, holdBody, json, type Reply } from '../call.ts'
import { readFormFields, readUploadFields } from '../metadata.ts'
import { parseMediaType } from '../multipart/head.ts'
import { type MultipartPart, readParts } from '../multipart/read.ts'
import type { Input, Route } from '../route.ts'
import { checkSample } from '../sample.ts'

const versioned = Type.Object({
  id: Type.String({ description: 'Template ID.' }),
  versionId: Type.String(),
  type: Type.String(),
  size: Type.Integer(),
  createdAt: Type.Integer({ description: 'Time of the upload in UTC seconds.' }),
  deployedAt: Type.Integer({ description: 'Time of the deployment in UTC seconds.' }),
  expireAt: Type.Optional(
    Type.Integer({ description: 'Time at which the template expires, in UTC seconds.' }),
  ),
})
const hashed = Type.Object({
  templateId: Type.String({ description: 'Hash of the template: the SHA-256 of payload and file.' }),
  templateExtension: Type.String(),
})

export const upload: Route = {
  method: 'POST',
  path: '/template',
  operation: 'uploadTemplate',
  summary: 'Stores a template.',
  scope: 'account',
  makes: true,
  headers: {
    'service-template-delete-after':
      'Seconds until a template without versioning is deleted, 86400 to 2592000.',
  },
  body: { types: ['multipart/form-data', 'application/json'], schema: uploadBody },
  answers: [
    {
      status: 200,
      description:
        'The identifiers of the template. Without versioning, only templateId and templateExtension.',
      schema: Type.Object({ success: Type.Literal(true), data: Type.Union([versioned, hashed]) }),
    },
  ],
  errors: [
    'api.content-type.upload',
    'api.upload.form',
    'api.upload.form.too-large',
    'api.upload.order',
    'api.upload.sample',
    'api.upload.empty',
    'api.upload.too-large',
    'api.fields.too-large',
    'api.form-field.too-large',
    'api.field.too-large',
    'api.field.memory',
    'api.template.too-large',
    'api.template.format',
    'api.template.encrypted',
    'api.metadata',
    'api.checks.failed',
    'api.json.invalid',
    'api.json.too-deep',
    'api.json.members',
    'api.too-many',
  ],
  async run(services, input, call) {
    const type = parseMediaType(call.headers.get('content-type') ?? '')
    if (type?.type === 'application/json') return uploadJson(services, input, call)
    if (type?.type !== 'multipart/form-data') throw new AppError('api.content-type.upload')
    const boundary = type.parameters.get('boundary') ?? ''
    if (boundary === '' || boundary.length > 200 || call.body === undefined)
      throw new AppError('api.upload.form')
    return uploadForm(services, input, call, boundary)
  },
}

/**
 * Up to this size in bytes, a JSON body is buffered and its fields are checked before the file is stored. The
 * file in a larger body is stored while it arrives.
 */
const maxBufferedBytes = 256 * 1024

const ruleOf = (services: Services, { caller }: Input, { signal }: Call) =>
  deployRule(services, { test: caller?.kind === 'test', signal })

async function uploadJson(services: Services, input: Input, call: Call): Promise<Reply> {
  const limit = { bytes: services.settings.maxDataBytes, tooLarge: 'api.upload.too-large' } as const
  const buffered = await holdBody(call, limit, { maxBuffered: maxBufferedBytes })
  const tooLarge = (size: number) => new AppError('api.template.too-large', { limit: size })
  const { key } = call
  const terms = {
    account: input.account,
    signal: call.signal,
    tooLarge,
    beforeDeploy: ruleOf(services, input, call),
    answerOf: key && ((uploaded: Uploaded) => key.answerOf(reply(uploaded))),
  }
  if (buffered.kind === 'stream') {
    const arriving = arrivingFile(buffered.stream)
    const fields = async () => withLife(services, await readMembers(arriving.members()), input, call)
    return reply(
      await uploadTemplate(services, { ...terms, fields, chunks: arriving.chunks, hint: arriving.hint }),
    )
  }
  const body = await splitBody(buffered.bytes, uploadMembers)
  const named = [...body.members].map(
    ([name, { start, end }]) => [name, buffered.bytes.subarray(start, end)] as const,
  )
  const fields = withLife(services, await readMembers(new Map(named)), input, call)
  const bytes = await memberBase64(body, 'template')
  if (bytes === 'absent') throw new AppError('api.upload.empty')
  if (bytes === 'invalid') throw new AppError('api.template.format')
  if (bytes.length > services.settings.maxTemplateBytes) throw tooLarge(services.settings.maxTemplateBytes)
  const chunks = inChunks(bytes)
  const hint = () => ({ mime: memberMediaType(body, 'template') })
  return reply(await uploadTemplate(services, { ...terms, fields: async () => fields, chunks, hint }))
}

const uploadMembers: BodyFields = {
  knownNames: new Set(Object.keys(uploadBody.properties)),
  large: new Set(['template', 'sample']),
}

/**
 * Decodes the file in a JSON body while the body arrives. `members` returns the JSON of the other members, and `hint` the
 * type of the file; both may only be called when `chunks` has ended. Iterating throws 'api.upload.empty',
 * 'api.template.format', and the errors of the splitter.
 */
function arrivingFile(stream: ReadableStream<Uint8Array>): {
  readonly chunks: AsyncIterable<Uint8Array>
  members(): ReadonlyMap<string, Uint8Array>
  hint(): SniffHint
} {
  const splitter = createJsonSplitter('template', uploadMembers)
  const decoder = createBase64Decoder()
  const decoded = (bytes: Uint8Array | undefined) => {
    if (bytes === undefined) throw new AppError('api.template.format')
    return bytes
  }
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of chunksOf(stream)) {
      for (const text of splitter.push(chunk)) {
        const bytes = decoded(decoder.push(text))
        if (bytes.length > 0) yield bytes
      }
    }
    const { members, streamed } = splitter.finish()
    if (!streamed) {
      const value = members.get('template')
      throw new AppError(
        value === undefined || parseJson(value) === null ? 'api.upload.empty' : 'api.template.format',
      )
    }
    const tail = decoded(decoder.finish())
    if (tail.length > 0) yield tail
  }
  return {
    chunks: chunks(),
    members: () => splitter.finish().members,
    hint: () => ({ mime: decoder.mediaType() }),
  }
}

/** Reads the metadata of an upload from the JSON of the members of its body. Does not parse `sample`. */
async function readMembers(members: ReadonlyMap<string, Uint8Array>): Promise<UploadFields> {
  const fields: Record<string, unknown> = {}
  let sample: Uint8Array | undefined
  for (const [name, text] of members) {
    if (name === 'sample') sample = text[0] === NULL ? undefined : text
    else if (name !== 'template') setEntry(fields, name, parseJson(text) ?? undefined)
  }
  return readUploadFields(fields, sample && (await checkSample(sample)))
}

const NULL = 110 // the first byte of `null`

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let start = 0; start < bytes.length; start += 262_144) yield bytes.subarray(start, start + 262_144)
}

/**
 * Stores the template of a form, in which the fields come first and the file last. The file is stored while
 * it arrives, and what follows is read before the file counts as complete. A truncated body, or an `id` after
 * the file, therefore stores nothing.
 */
async function uploadForm(services: Services, input: Input, call: Call, boundary: string): Promise<Reply> {
  const parts = readParts(call.body!, boundary)
  const form = new Map<string, string>()
  const lateFields: string[] = [] // names of the fields after the file
  const budget = createFormBudget(services.settings.maxDataBytes)
  const { key } = call
  const replyOf = (uploaded: Uploaded) =>
    reply(uploaded, lateFields.length > 0 ? { 'service-warning': 'late-field' } : {})
  let sample: Uint8Array | undefined
  for await (const part of parts) {
    if (part.name === 'template') {
      const read = readUploadFields(readFormFields(form), sample && (await checkSample(sample)))
      const fields = withLife(services, read, input, call)
      const uploaded = await uploadTemplate(services, {
        account: input.account,
        fields: async () => fields,
        chunks: fileThenRest(part, parts, { lateFields, budget, limit: services.settings.maxTemplateBytes }),
        hint: () => ({ name: part.filename, mime: part.mime }),
        signal: call.signal,
        tooLarge: (limit) => new AppError('api.upload.form.too-large', { limit }),
        beforeDeploy: ruleOf(services, input, call),
        answerOf: key && ((uploaded) => key.answerOf(replyOf(uploaded))),
      })
      return replyOf(uploaded)
    }
    const bytes = await readField(part, budget)
    if (bytes === undefined) continue
    if (part.name === 'tags' && form.has('tags'))
      throw new AppError('api.metadata', { issue: '"tags" must be sent once, as a JSON array of strings' })
    if (part.name !== 'sample') form.set(part.name, new TextDecoder().decode(bytes))
    else sample = isBlank(bytes) ? undefined : bytes
  }
  throw new AppError('api.upload.empty')
}

/** Counts the bytes of all fields of a form, known or not, without the file. */
interface FormBudget {
  /** Throws 'api.fields.too-large' when the fields exceed the limit. */
  take(bytes: number): void
}

function createFormBudget(limit: number): FormBudget {
  let bytesLeft = limit
  return {
    take(bytes) {
      bytesLeft -= bytes
      if (bytesLeft < 0) throw new AppError('api.fields.too-large', { limit })
    },
  }
}

/** Reads a field to its end. Returns undefined for an unknown one. Throws 'api.form-field.too-large'. */
async function readField(part: MultipartPart, budget: FormBudget): Promise<Uint8Array | undefined> {
  const isKnown = uploadMembers.knownNames?.has(part.name) === true
  const limit = part.name === 'sample' ? Number.POSITIVE_INFINITY : maxFieldBytes
  const received = createByteCollector()
  for await (const chunk of part.chunks()) {
    budget.take(chunk.length)
    if (!isKnown) continue
    // The chunk is only valid until the next one is requested.
    received.add(chunk.slice())
    if (received.size > limit) throw new AppError('api.form-field.too-large', { limit, field: part.name })
  }
  return isKnown ? received.joined() : undefined
}

function isBlank(bytes: Uint8Array): boolean {
  return skipSpace(bytes, 0) === bytes.length
}

interface AfterFile {
  readonly lateFields: string[]
  readonly budget: FormBudget
  readonly limit: number // size of the file in bytes
}

/** Yields the bytes of the file, then reads the parts after it and adds their names to `late`. */
async function* fileThenRest(
  part: MultipartPart,
  parts: AsyncGenerator<MultipartPart, void, undefined>,
  { lateFields, budget, limit }: AfterFile,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* fileBytes(part, limit)
  while (true) {
    const event = await parts.next()
    if (event.done) return
    const { name } = event.value
    if (name === 'id') throw new AppError('api.upload.order')
    if (name !== '') lateFields.push(name)
    for await (const chunk of event.value.chunks()) budget.take(chunk.length)
  }
}

/**
 * Yields the bytes of the file. A part that begins with `data:` is decoded as a data URI, which browser
 * clients send, and yielded unchanged when that fails.
 */
async function* fileBytes(part: MultipartPart, limit: number): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = part.chunks()
  const head: Uint8Array[] = []
  let size = 0
  while (size < 5) {
    const { value, done } = await chunks.next()
    if (done) break
    head.push(value.slice())
    size += value.length
  }
  const start = concatBytes(head, size)
  if (new TextDecoder('latin1').decode(start.subarray(0, 5)) !== 'data:') {
    if (size > 0) yield start
    yield* chunks
    return
  }
  const collected = [start]
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > limit * 2) throw new AppError('api.upload.form.too-large', { limit })
    collected.push(chunk.slice())
  }
  const text = concatBytes(collected, size)
  yield decodeBase64(text) ?? text
}

/** The bounds of `service-template-delete-after` in seconds: one day and 30 days. */
const minLifeSeconds = 86_400
const maxLifeSeconds = 2_592_000

/**
 * Adds the lifetime of a template, which also depends on a header of the request and on whether the token is
 * a test token. Removes the fields for versions of templates from requests of version 3 of the API, which has
 * none.
 */
function withLife(services: Services, fields: UploadFields, input: Input, call: Call): UploadFields {
  const { versioning: _, id: __, ...unversioned } = fields
  const uploadFields = withHeader(input.major === 3 ? unversioned : fields, call)
  if (input.caller?.kind !== 'test') return uploadFields
  const latest = seconds(services) + testTemplateSeconds
  const life = uploadFields.deleteAfter === undefined ? latest : seconds(services) + uploadFields.deleteAfter
  const expireAt =
    uploadFields.expireAt === undefined || uploadFields.expireAt === 0 ? life : uploadFields.expireAt
  return { ...uploadFields, expireAt: Math.min(expireAt, latest) }
}

function withHeader(fields: UploadFields, call: Call): UploadFields {
  const header = call.headers.get('service-template-delete-after') ?? ''
  if (!/^\d{1,12}$/.test(header) || Number(header) === 0) return fields
  return { ...fields, deleteAfter: Math.min(maxLifeSeconds, Math.max(minLifeSeconds, Number(header))) }
}

function reply(uploaded: Uploaded, headers: Readonly<Record<string, string>> = {}): Reply {
  if (uploaded.kind === 'hashed') {
    const { templateId, templateExtension } = uploaded
    return json(200, { success: true, data: { templateId, templateExtension } }, headers)
  }
  const { templateId, versionId, format, size, createdAt, deployedAt, expireAt } = uploaded.row
  const data = { id: templateId, versionId, type: format, size, createdAt, deployedAt }
  return json(200, { success: true, data: expireAt === 0 ? data : { ...data, expireAt } }, headers)
}
