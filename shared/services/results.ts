import { AppError } from '../errors/app-error.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import type { FormatPlugin } from '../plugin/contract.ts'
import type { ByteSource } from '../plugin/values.ts'
import type { FinishedRender } from '../ports/index.ts'
import type { KeyedAnswer } from '../records/idempotency-keys.ts'
import {
  claimRender,
  findRender,
  hasRender,
  type RenderRow,
  releaseRender,
  removeRender,
  saveRender,
} from '../records/renders.ts'
import { discardFile, doneOrLater } from './discard-file.ts'
import { toBase64Url, toHex } from './ids.ts'
import { type Services, seconds } from './services.ts'
import { asWritten, digestOf, maxBufferedBytes, type WrittenBytes } from './stored-bytes.ts'

/** A finished document that is about to be sent to the caller or stored. */
export interface Result {
  readonly source: ByteSource
  readonly format: FormatPlugin
  readonly name: string // without extension, valid as a file name
  /**
   * The key of the blob behind `source`, where there is one. The receiver of the result must move or delete
   * that blob.
   */
  readonly spool?: string
}

/** Describes a result for the operator's hooks. */
export function renderEventOf(
  { source, format, name, templateId }: Result & { readonly templateId?: string | undefined },
  renderId?: string,
): FinishedRender {
  return {
    ...(renderId !== undefined && { renderId }),
    ...(templateId !== undefined && { templateId }),
    name,
    extension: format.extensions[0],
    contentType: format.mime[0],
    size: source.size,
  }
}

/**
 * The first byte of every render id. It names the layout of the others, so that a later layout can be
 * recognised.
 */
const idLayout = 1

/** The id and location of a stored render. Storing again under the same ones replaces the document. */
export interface RenderLocation {
  readonly secret: Uint8Array // at least 18 unguessable bytes; the render id contains the first 18
  readonly blob: string // key
}

export interface StoreOptions {
  readonly location?: RenderLocation | undefined
  /** Makes the answer of a call with an idempotency key, which is kept in the transaction that stores the document. */
  readonly answerOf?: ((renderId: string) => Promise<KeyedAnswer>) | undefined
  /**
   * Whether the document is still this call's alone. Where another attempt may have stored it under the same location, a
   * failure must not remove it.
   */
  readonly isHeld?: (() => Promise<boolean>) | undefined
}

/**
 * Stores a document for one download within `renderLifeSeconds`. Returns its render id, whose 144 random bits
 * reveal nothing about the document. A failure leaves neither a file nor a row; where that is not certain, because the
 * database is away, the answer of a key and its document both stay. A hook receives the document before it is recorded; where
 * the hook serves renders, the file is then deleted. Throws 'api.key.running' when another call has taken the key.
 */
export async function storeResult(
  services: Services,
  account: string,
  result: Result & { readonly templateId?: string | undefined },
  { location = newLocation(services, account), answerOf, isHeld }: StoreOptions = {},
): Promise<string> {
  const now = seconds(services)
  const bytes = new Uint8Array(21)
  bytes[0] = idLayout // bytes 1 and 2 are reserved for the node or shard that holds the file
  bytes.set(location.secret.subarray(0, 18), 3)
  const id = `${toBase64Url(bytes)}.${result.format.extensions[0]}`
  const { blob } = location
  const { spool, source } = result
  const keyed = await answerOf?.(id)
  try {
    const { size, digest } =
      spool === undefined ? await put(services, blob, source) : { ...source, digest: '' }
    if (spool !== undefined) await services.blobs.move(spool, blob)
    const row = {
      account,
      id,
      blob,
      format: result.format.id,
      name: result.name,
      size,
      digest,
      createdAt: now,
      expireAt: now + services.settings.renderLifeSeconds,
    }
    // The hook may refuse the document, so it runs before others with the key can find its answer.
    await passToHook(services, result, { id, blob })
    await saveRender(services.sql, row, keyed)
  } catch (error) {
    // Without an answer of the database nothing is removed: the next attempt replaces it, or the sweep finds it.
    if (isHeld !== undefined && !(await isHeld().catch(() => false))) throw error
    const isRemoved = await removeRender(services.sql, id, keyed?.hold).then(
      () => true,
      () => false,
    )
    if (isRemoved || keyed === undefined) {
      // The next attempt of a job writes under the same key, so nothing may be deleted later.
      if (isHeld === undefined) await discardFile(services, blob)
      else await services.blobs.delete(blob).catch(() => {})
    }
    throw error
  }
  // The hook serves renders itself. When this fails, the sweep removes the file with its row.
  if (services.hooks?.afterRender !== undefined && services.hooks.readRender !== undefined)
    await discardFile(services, blob)
  return id
}

const newLocation = ({ ids }: Services, account: string): RenderLocation => ({
  secret: ids.random(18),
  blob: `${account}/renders/${toHex(ids.random(16))}`,
})

/**
 * Stores a file and returns its size and digest. A large file gets no digest, because hashing it would hold
 * it in memory.
 */
async function put({ blobs, hasher }: Services, blob: string, source: ByteSource): Promise<WrittenBytes> {
  if (source.size > maxBufferedBytes) return { size: await blobs.put(blob, source), digest: '' }
  const bytes = await bytesOf(source)
  return { size: await blobs.put(blob, fromBytes(bytes)), digest: digestOf(hasher, bytes) }
}

/** Passes a document whose file is stored to the operator's hook. */
async function passToHook(
  { hooks, blobs }: Services,
  result: Result & { readonly templateId?: string | undefined },
  { id, blob }: { readonly id: string; readonly blob: string },
): Promise<void> {
  if (hooks?.afterRender === undefined) return
  const stored = await blobs.get(blob)
  if (stored === undefined) throw new AppError('storage.blobs')
  await hooks.afterRender(renderEventOf(result, id), stored)
}

export interface Fetched extends Result {
  /** Must be called once, with whether the complete document was transferred. */
  readonly finished: (complete: boolean) => Promise<void>
}

/** Opens a stored render without using up its download. Throws 'api.render.not-found'. */
export async function peekResult(services: Services, id: string): Promise<Result> {
  const row = await find(services, id)
  return row === undefined ? openElsewhere(services, id) : open(services, row)
}

/**
 * Claims the only download of a stored render: of several concurrent calls one succeeds. The file is deleted
 * after a complete transfer. After an interrupted one it can be downloaded again. Throws
 * 'api.render.not-found'.
 */
export async function takeResult(services: Services, id: string): Promise<Fetched> {
  const row = await find(services, id)
  if (row === undefined) return { ...(await openElsewhere(services, id)), finished: async () => {} }
  if (!(await claimRender(services.sql, id, seconds(services)))) throw new AppError('api.render.not-found')
  try {
    return { ...(await open(services, row)), finished: (complete) => finish(services, row, complete) }
  } catch (error) {
    await releaseRender(services.sql, id)
    throw error
  }
}

/** Removes a stored render whose id was not given to the caller. */
export async function discardResult(services: Services, id: string): Promise<void> {
  const { finished } = await takeResult(services, id)
  await finished(true)
}

async function finish(services: Services, row: RenderRow, complete: boolean): Promise<void> {
  const remove = async () => {
    if (!complete) return releaseRender(services.sql, row.id)
    await services.blobs.delete(row.blob)
    // With a hook the row stays until it expires: `find` then answers that the render is gone instead of
    // asking the hook.
    if (services.hooks?.readRender === undefined) await removeRender(services.sql, row.id)
  }
  // What a process cannot remove before it ends, the cleanup removes when it has expired.
  await doneOrLater(services, row.blob, remove)
}

/**
 * Finds the row of a render that can be downloaded. Returns undefined when there is no row but a hook may
 * have the render of another origin. Throws 'api.render.not-found'.
 */
async function find(services: Services, id: string): Promise<RenderRow | undefined> {
  const row = await findRender(services.sql, id, seconds(services))
  if (row !== undefined) return row
  if (services.hooks?.readRender === undefined || (await hasRender(services.sql, id)))
    throw new AppError('api.render.not-found')
  return undefined
}

/**
 * Opens a render that only a hook has. Its format is taken from the extension of its id. Its name is not
 * recorded, so a neutral one is used.
 */
async function openElsewhere(services: Services, id: string): Promise<Result> {
  const format = services.registry.formatByExtension(id.split('.')[1] ?? '')
  const source = format && (await services.hooks?.readRender?.(id))
  if (format === undefined || source === undefined) throw new AppError('api.render.not-found')
  return { source, format, name: 'report' }
}

async function open(services: Services, row: RenderRow): Promise<Result> {
  const stored = await services.blobs.get(row.blob)
  const source =
    stored === undefined
      ? await services.hooks?.readRender?.(row.id)
      : await asWritten(services.hasher, stored, row)
  const format = services.registry.format(row.format)
  if (source === undefined || format === undefined) throw new AppError('api.render.not-found')
  return { source, format, name: row.name }
}
