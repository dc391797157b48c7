import { AppError } from '../errors/app-error.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import { changeChecks, type TemplateRow } from '../records/templates.ts'
import { discardFile, putFile } from './discard-file.ts'
import { toHex } from './ids.ts'
import { type Services, seconds } from './services.ts'

/** The cases of a version, as the JSON array that was stored. Undefined when it has none. Throws 'storage.blobs'. */
export async function openChecks(
  { blobs }: Pick<Services, 'blobs'>,
  { checksBlob }: TemplateRow,
): Promise<Uint8Array | undefined> {
  if (checksBlob === null) return undefined
  const source = await blobs.get(checksBlob)
  // A version whose cases are lost must not pass for one without cases.
  if (source === undefined) throw new AppError('storage.blobs')
  return bytesOf(source)
}

/**
 * Gives a version other cases; undefined: none. The bytes are a JSON array that has been checked. The earlier ones stay until
 * the cleanup of orphaned files, because other versions may share them. Throws 'api.template.not-found'.
 */
export async function replaceChecks(
  services: Services,
  { account, versionId }: TemplateRow,
  checks: Uint8Array | undefined,
): Promise<void> {
  const blob = checks === undefined ? null : `${account}/checks/${toHex(services.ids.random(16))}`
  if (blob !== null && checks !== undefined) await putFile(services, blob, fromBytes(checks))
  const changed = await changeChecks(services.sql, { account, versionId, now: seconds(services) }, blob)
  if (changed) return
  if (blob !== null) await discardFile(services, blob)
  throw new AppError('api.template.not-found')
}
