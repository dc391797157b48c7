import { AppError } from '../errors/app-error.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import type { ByteSource, FormatPlugin } from '../plugin/contract.ts'
import type { MadeRender } from '../ports/index.ts'
import {
  claimRender,
  findRender,
  hasRender,
  type RenderRow,
  releaseRender,
  removeRender,
  saveRender,
} from '../records/renders.ts'
import { toBase64Url, toHex } from './ids.ts'
import { type Services, seconds } from './services.ts'
import { asWritten, checkedWhole, digestOf, type Written } from './stored-bytes.ts'

/** A finished document, on its way to the caller or to storage. */
export interface Result {
  readonly source: ByteSource
  readonly format: FormatPlugin
  readonly name: string // without extension, fit for a file
  /** Key of the blob that `source` reads, where it has been written already: for whoever takes the result to move or delete. */
  readonly spool?: string
}

/** A result as hooks are told of it. */
export function madeOf(
  { source, format, name, templateId }: Result & { readonly templateId?: string | undefined },
  renderId?: string,
): MadeRender {
  return {
    ...(renderId !== undefined && { renderId }),
    ...(templateId !== undefined && { templateId }),
    name,
    extension: format.extensions[0],
    contentType: format.mime[0],
    size: source.size,
  }
}

/** First byte of every render id: the layout of the rest. */
const idLayout = 1

/** Where a document is kept whose maker may come again: what is there is replaced. */
export interface RenderPlace {
  readonly secret: Uint8Array // at least 18 bytes that nobody can guess; the first 18 are seen in the render id
  readonly blob: string
}

/**
 * Keeps a document for one hour and one download. Returns its render id: 144 random bits, from which nothing can be
 * read. A failure leaves neither file nor row. Where hooks keep renders the file is theirs alone.
 */
export async function storeResult(
  services: Services,
  account: string,
  result: Result & { readonly templateId?: string | undefined },
  place: RenderPlace = {
    secret: services.ids.random(18),
    blob: `${account}/renders/${toHex(services.ids.random(16))}`,
  },
): Promise<string> {
  const now = seconds(services)
  const bytes = new Uint8Array(21)
  bytes[0] = idLayout // bytes 1 and 2 are kept for the node or shard that holds the file
  bytes.set(place.secret.subarray(0, 18), 3)
  const id = `${toBase64Url(bytes)}.${result.format.extensions[0]}`
  const { blob } = place
  const { spool, source } = result
  try {
    const { size, digest } =
      spool === undefined ? await put(services, blob, source) : { ...source, digest: '' }
    if (spool !== undefined) await services.blobs.move(spool, blob)
    await saveRender(services.sql, {
      account,
      id,
      blob,
      format: result.format.id,
      name: result.name,
      size,
      digest,
      createdAt: now,
      expireAt: now + services.settings.renderLifeSeconds,
    })
    await keepElsewhere(services, result, { id, blob })
  } catch (error) {
    await removeRender(services.sql, id).catch(() => {})
    await services.blobs.delete(blob).catch(() => {})
    throw notKept(error)
  }
  return id
}

/** Stores a file and says what was written. A large one is not held in memory for its digest. */
async function put({ blobs, hasher }: Services, blob: string, source: ByteSource): Promise<Written> {
  if (source.size > checkedWhole) return { size: await blobs.put(blob, source), digest: '' }
  const bytes = await bytesOf(source)
  return { size: await blobs.put(blob, fromBytes(bytes)), digest: digestOf(hasher, bytes) }
}

/** A document that was made and cannot be stored is no matter of its template, which the same failure would tell of. */
export function notKept(error: unknown): unknown {
  const storage = error instanceof AppError && error.code.startsWith('storage.')
  return storage ? new AppError('api.render.error', {}, { cause: error }) : error
}

async function keepElsewhere(
  { hooks, blobs }: Services,
  result: Result & { readonly templateId?: string | undefined },
  { id, blob }: { readonly id: string; readonly blob: string },
): Promise<void> {
  if (hooks?.afterRender === undefined) return
  const stored = await blobs.get(blob)
  if (stored === undefined) throw new AppError('storage.blobs')
  await hooks.afterRender(madeOf(result, id), stored)
  if (hooks.readRender !== undefined) await blobs.delete(blob)
}

export interface Fetched extends Result {
  /** To be called once with whether the caller got all of it. */
  readonly finished: (complete: boolean) => Promise<void>
}

/** What a download would give, without taking it. Throws 'api.render.not-found'. */
export async function lookAtResult(services: Services, id: string): Promise<Result> {
  const row = await find(services, id)
  return row === undefined ? openElsewhere(services, id) : open(services, row)
}

/**
 * Takes the one download: of any number of calls at once one succeeds. The file is deleted when the caller has all of
 * it, and waits for another try when the transfer was cut. Throws 'api.render.not-found'.
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

/** Removes a document that nobody will ask for. */
export async function discardResult(services: Services, id: string): Promise<void> {
  const { finished } = await takeResult(services, id)
  await finished(true)
}

async function finish(services: Services, row: RenderRow, complete: boolean): Promise<void> {
  try {
    if (!complete) return await releaseRender(services.sql, row.id)
    await services.blobs.delete(row.blob)
    // As long as the row is here, nobody asks the hook for a document that was fetched.
    if (services.hooks?.readRender === undefined) await removeRender(services.sql, row.id)
  } catch (error) {
    services.log.warn('renders.finish', { error }) // the sweep takes it when its hour is over
  }
}

/** undefined: nothing is known of it here, but a hook may know it from another origin. Throws 'api.render.not-found'. */
async function find(services: Services, id: string): Promise<RenderRow | undefined> {
  const row = await findRender(services.sql, id, seconds(services))
  if (row !== undefined) return row
  if (services.hooks?.readRender === undefined || (await hasRender(services.sql, id)))
    throw new AppError('api.render.not-found')
  return undefined
}

/** A render of which there is no row: its id says its format, and nobody its name. */
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
