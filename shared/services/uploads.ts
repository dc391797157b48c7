import { AppError } from '../errors/app-error.ts'
import type { ErrorCode } from '../errors/catalogue.ts'
import { toAppError } from '../errors/problem.ts'
import { isEncryptedDocument } from '../office/incoming/encrypted.ts'
import { fromBytes } from '../plugin/byte-source.ts'
import type { FormatPlugin } from '../plugin/contract.ts'
import type { SniffHint } from '../plugin/registry.ts'
import type { ByteSource } from '../plugin/values.ts'
import type { KeyedAnswer } from '../records/idempotency-keys.ts'
import {
  findNewestChecks,
  findVersionEvenExpired,
  saveTemplate,
  type TemplateRow,
} from '../records/templates.ts'
import { discardFile, putFile } from './discard-file.ts'
import { toHex } from './ids.ts'
import { type Services, seconds } from './services.ts'
import { checkDeployedAt } from './template-rules.ts'

/** The fields of an upload besides the file. Texts and numbers have been checked for type and range. */
export interface UploadFields {
  readonly versioning?: boolean
  readonly id?: string // Template ID
  readonly payload?: string // hashed into the id of a template without versioning
  readonly name?: string
  readonly comment?: string
  readonly category?: string
  readonly tags?: readonly string[]
  readonly sample?: Uint8Array // JSON text
  readonly deployedAt?: number // seconds
  readonly expireAt?: number // seconds; 0: never
  readonly origin?: number
  /** The request header: seconds until a template stored without versioning is deleted. */
  readonly deleteAfter?: number
}

export interface Upload {
  readonly account: string
  /** Called after all chunks have been read, because a multipart body may have fields after the file. */
  readonly fields: () => Promise<UploadFields>
  readonly chunks: AsyncIterable<Uint8Array>
  /** Called after all chunks have been read, because the type of a base64 file is at its beginning. */
  readonly hint: () => SniffHint
  readonly signal: AbortSignal
  /** Creates the error for a file over the limit in bytes. It depends on how the file was sent. */
  readonly tooLarge: (limit: number) => AppError
  /** Called before a version is stored as deployed. It throws to refuse the upload. */
  readonly beforeDeploy?: ((row: TemplateRow) => Promise<void>) | undefined
  /** Makes the answer of a call with an idempotency key, which is kept in the transaction that stores the template. */
  readonly answerOf?: ((uploaded: Uploaded) => Promise<KeyedAnswer>) | undefined
}

export type Uploaded =
  | { readonly kind: 'hashed'; readonly templateId: string; readonly templateExtension: string }
  | { readonly kind: 'versioned'; readonly row: TemplateRow }

/**
 * Stores an uploaded template. It streams the file to storage while hashing it, detects its format, checks
 * that it opens, and only then writes the row. A failure of any step leaves neither a file nor a row; where it is unknown
 * whether the database wrote the row, the file stays, and the cleanup of orphaned files deletes it if no row refers to it.
 * Throws 'api.upload.*', 'api.template.format', 'api.metadata*', and 'api.key.running' when another call has taken the key.
 */
export async function uploadTemplate(services: Services, upload: Upload): Promise<Uploaded> {
  const { account } = upload
  const now = seconds(services)
  const key = `${account}/templates/${toHex(services.ids.random(16))}`
  const stored = await storeFile(services, upload, key)
  try {
    const fields = await upload.fields()
    const deployedAt = fields.deployedAt === undefined ? now : checkDeployedAt(fields.deployedAt, now)
    const { format, bytes } = await identify(services, upload, key, stored.contentHash)
    const row: TemplateRow = {
      account,
      versionId: hashWith(services, fields.payload ?? '', stored.contentHash, bytes),
      templateId: null,
      contentHash: stored.contentHash,
      blob: key,
      sampleBlob: null,
      checksBlob: null,
      format: format.id,
      size: stored.size,
      name: fields.name ?? '',
      comment: fields.comment ?? '',
      category: fields.category ?? '',
      tags: fields.tags ?? [],
      origin: fields.origin ?? 0,
      createdAt: now,
      deployedAt,
      deployOrder: deployOrder(services),
      expireAt: fields.expireAt ?? 0,
    }
    if (services.settings.stateless) return await keepByHash(services, row)
    // An empty ID asks for a new one.
    const versioned = fields.versioning === true || fields.id !== undefined
    return versioned
      ? await keepVersion(services, row, fields, upload)
      : await keepHashed(services, row, fields, upload)
  } catch (error) {
    if (!mayBeRecorded(error)) await discard(services, key)
    throw error
  }
}

/** Whether a row may exist after this error of the database, and refer to the files of an upload. */
function mayBeRecorded(error: unknown): boolean {
  return error instanceof AppError && error.code === 'storage.unanswered'
}

/**
 * The order of a deployment among those with the same deployedAt: the time in microseconds with a random
 * offset below one millisecond. The greatest one is deployed.
 */
export function deployOrder(services: Services): number {
  return services.clock.now() * 1000 + (services.ids.random(1)[0] ?? 0) * 3
}

/** Streams the file to `key` and hashes it. Throws the error of `tooLarge`, and 'api.upload.empty'. */
async function storeFile(services: Services, upload: Upload, key: string) {
  const limit = services.settings.maxTemplateBytes
  const content = services.hasher.sha256()
  const chunks = upload.chunks[Symbol.asyncIterator]()
  let size = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await chunks.next()
        if (done) return controller.close()
        size += value.length
        if (size > limit) throw upload.tooLarge(limit)
        content.update(value)
        controller.enqueue(value)
      } catch (error) {
        controller.error(error)
      }
    },
  })
  await putFile(services, key, body)
  if (size === 0) {
    await discard(services, key)
    throw new AppError('api.upload.empty')
  }
  return { size, contentHash: content.hex() }
}

/**
 * The id of a template without versioning: SHA-256 of the payload followed by the file, in lower-case hex.
 */
function hashWith(services: Services, payload: string, contentHash: string, bytes: Uint8Array): string {
  if (payload === '') return contentHash
  const combined = services.hasher.sha256()
  combined.update(new TextEncoder().encode(payload))
  combined.update(bytes)
  return combined.hex()
}

/**
 * Detects the format, by the bytes first and by the hint where they do not decide. The format must support
 * templates, and the file must open within the resource limits. Throws 'api.template.format', 'api.template.encrypted',
 * 'package.incomplete' and 'api.upload.failed'.
 */
async function identify(
  services: Services,
  upload: Upload,
  key: string,
  hash: string,
): Promise<{ readonly format: FormatPlugin; readonly bytes: Uint8Array }> {
  const bytes = await services.templates.get(key, () => stored(services, key))
  const format = await services.registry.sniff(fromBytes(bytes), upload.hint())
  if (format?.template === undefined)
    throw new AppError(isEncryptedDocument(bytes) ? 'api.template.encrypted' : 'api.template.format')
  try {
    await services.merger.check?.({ hash, bytes, format: format.id }, upload.signal)
  } catch (error) {
    const { code, blame } = toAppError(error)
    if (code === 'package.encrypted') throw new AppError('api.template.encrypted', {}, { cause: error })
    if (upload.signal.aborted || blame === 'us' || passed.includes(code)) throw error
    throw new AppError('api.upload.failed', {}, { cause: error })
  }
  return { format, bytes }
}

/** Codes that a check of an upload passes on, because they say more than that the file cannot be stored. */
const passed: readonly ErrorCode[] = ['api.too-many', 'package.incomplete']

async function stored(services: Services, key: string): Promise<ByteSource> {
  const source = await services.blobs.get(key)
  if (source === undefined) throw new AppError('storage.blobs')
  return source
}

/**
 * Records an upload as a new version, with the cases of the one stored before it. Its Version ID is a random hash, so equal
 * files get different ids.
 */
async function keepVersion(
  services: Services,
  row: TemplateRow,
  fields: UploadFields,
  { beforeDeploy, answerOf }: Upload,
): Promise<Uploaded> {
  const { account } = row
  const templateId = fields.id === undefined || fields.id === '' ? services.ids.templateId() : fields.id
  const salted = services.hasher.sha256()
  salted.update(services.ids.random(16))
  const { sample, ...named } = fields
  salted.update(new TextEncoder().encode(JSON.stringify({ ...named, templateId })))
  salted.update(new TextEncoder().encode(row.contentHash))
  const sampleBlob = await storeSample(services, account, sample)
  const checksBlob = await findNewestChecks(services.sql, account, templateId, row.createdAt)
  const newRow = { ...row, versionId: salted.hex(), templateId, sampleBlob, checksBlob }
  try {
    if (newRow.deployedAt > 0) await beforeDeploy?.(newRow)
    const version = await placed(services, newRow)
    const uploaded: Uploaded = { kind: 'versioned', row: version }
    await saveOrDiscard(services, version, await answerOf?.(uploaded))
    return uploaded
  } catch (error) {
    if (sampleBlob !== null && !mayBeRecorded(error)) await discard(services, sampleBlob)
    throw error
  }
}

/**
 * Moves the file to the key that is made of its Version ID, where a storage hook requires that. Returns the
 * row with the new key.
 */
async function placed(services: Services, row: TemplateRow): Promise<TemplateRow> {
  if (services.hooks?.namesTemplates !== true) return row
  const blob = namedKey(row.account, row.versionId)
  await services.blobs.move(row.blob, blob)
  services.templates.forget(row.blob)
  return { ...row, blob }
}

async function saveOrDiscard(services: Services, row: TemplateRow, keyed?: KeyedAnswer): Promise<void> {
  try {
    await saveTemplate(services.sql, row, keyed)
  } catch (error) {
    if (!mayBeRecorded(error)) await discard(services, row.blob)
    throw error
  }
}

/**
 * Records an upload without versioning. Its id is its hash, so uploading the same file again keeps the stored
 * file and updates the expiry and the fields that were sent. An expired row is replaced.
 */
async function keepHashed(
  services: Services,
  row: TemplateRow,
  fields: UploadFields,
  { answerOf }: Upload,
): Promise<Uploaded> {
  const { account } = row
  const expireAt =
    fields.expireAt ?? (fields.deleteAfter === undefined ? 0 : row.createdAt + fields.deleteAfter)
  const earlier = await findVersionEvenExpired(services.sql, account, row.versionId)
  const active = earlier !== undefined && (earlier.expireAt === 0 || earlier.expireAt > row.createdAt)
  const sampleBlob =
    fields.sample === undefined
      ? (earlier?.sampleBlob ?? null)
      : await storeSample(services, account, fields.sample)
  const newRow: TemplateRow = active
    ? {
        ...earlier,
        name: fields.name ?? earlier.name,
        comment: fields.comment ?? earlier.comment,
        category: fields.category ?? earlier.category,
        tags: fields.tags ?? earlier.tags,
        sampleBlob,
        expireAt,
      }
    : await placed(services, { ...row, sampleBlob, expireAt })
  const templateExtension = extensionOf(services, row)
  const uploaded: Uploaded = { kind: 'hashed', templateId: row.versionId, templateExtension }
  const keyed = await answerOf?.(uploaded)
  if (active) await saveTemplate(services.sql, newRow, keyed)
  else await saveOrDiscard(services, newRow, keyed)
  services.uses?.note(newRow)
  const unused = [
    active ? row.blob : earlier?.blob === newRow.blob ? undefined : earlier?.blob,
    earlier?.sampleBlob === sampleBlob ? undefined : earlier?.sampleBlob,
  ]
  for (const key of unused) {
    if (key !== undefined && key !== null) await discard(services, key)
  }
  return uploaded
}

/**
 * In stateless mode the key of the file is its only record, so that the template is found again after a
 * restart.
 */
async function keepByHash(services: Services, row: TemplateRow): Promise<Uploaded> {
  const key = namedKey(row.account, row.versionId)
  await services.blobs.move(row.blob, key)
  services.templates.forget(row.blob)
  return { kind: 'hashed', templateId: row.versionId, templateExtension: extensionOf(services, row) }
}

/** The blob key of a template file that is found by its Version ID alone. */
export function namedKey(account: string, hash: string): string {
  return `${account}/templates/${hash}`
}

function extensionOf(services: Services, row: TemplateRow): string {
  return services.registry.format(row.format)?.extensions[0] ?? row.format
}

async function storeSample(
  services: Services,
  account: string,
  sample: Uint8Array | undefined,
): Promise<string | null> {
  if (sample === undefined) return null
  const key = `${account}/samples/${toHex(services.ids.random(16))}`
  await putFile(services, key, fromBytes(sample))
  return key
}

/** Deletes a file. A failure is only logged, because the cleanup of orphaned files deletes it later. */
async function discard(services: Services, key: string): Promise<void> {
  services.templates.forget(key)
  // Another upload may write a key that is made of a hash, so nothing may be deleted later.
  if (!services.settings.stateless && services.hooks?.namesTemplates !== true)
    return discardFile(services, key)
  await services.blobs.delete(key).catch((error: unknown) => {
    services.log.warn('templates.orphan', { key, error })
  })
}
