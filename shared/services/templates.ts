import type { TemplateRef } from '../api/ids.ts'
import { AppError } from '../errors/app-error.ts'
import type { ByteSource } from '../plugin/contract.ts'
import {
  changeTemplate,
  expireTemplates,
  findDeployed,
  findVersion,
  listCategories,
  listTags,
  listTemplates,
  type TemplateChange,
  type TemplateFilter,
  type TemplateRow,
} from '../records/templates.ts'
import { openCursor, sealCursor } from './cursor.ts'
import { type Services, seconds } from './services.ts'
import { asWritten } from './stored-bytes.ts'
import { checkDeployedAt, deployNow } from './template-rules.ts'
import { deployOrder, namedKey } from './uploads.ts'

/** The template an id stands for now. Throws 'api.template.not-found'. */
export async function resolveTemplate(
  services: Services,
  account: string,
  ref: TemplateRef,
): Promise<TemplateRow> {
  if (services.settings.stateless) return resolveStateless(services, account, ref)
  const now = seconds(services)
  const row =
    ref.kind === 'version'
      ? await findVersion(services.sql, account, ref.id, now)
      : await findDeployed(services.sql, account, ref.id, now)
  if (row === undefined) throw new AppError('api.template.not-found')
  return row
}

/** Without a database the file itself is the record: its type is read from its bytes. */
async function resolveStateless(services: Services, account: string, ref: TemplateRef): Promise<TemplateRow> {
  const key = namedKey(account, ref.id)
  const source = ref.kind === 'version' ? await services.blobs.get(key) : undefined
  if (source === undefined) throw new AppError('api.template.not-found')
  const format = await services.registry.sniff(source)
  if (format === undefined) throw new AppError('api.template.unreadable')
  return {
    account,
    versionId: ref.id,
    templateId: null,
    contentHash: ref.id,
    blob: key,
    sampleBlob: null,
    format: format.id,
    size: source.size,
    name: '',
    comment: '',
    category: '',
    tags: [],
    origin: 0,
    createdAt: 0,
    deployedAt: 0,
    deployOrder: 0,
    expireAt: 0,
  }
}

/** The stored file of a row. Throws 'api.template.unreadable' when it is gone, 'storage.damaged' when it is another. */
export async function openTemplateFile(services: Services, row: TemplateRow): Promise<ByteSource> {
  const source = await services.blobs.get(row.blob)
  if (source === undefined) throw new AppError('api.template.unreadable')
  // An operator's own store may hand out what it likes, and without a database nothing is known of the file.
  if (services.settings.stateless || services.hooks?.namesTemplates === true) return source
  return asWritten(services.hasher, source, { size: row.size, digest: row.contentHash })
}

/** The sample array as stored JSON. Throws 'api.sample.not-found'. */
export async function openSample(services: Services, row: TemplateRow): Promise<ByteSource> {
  const source = row.sampleBlob === null ? undefined : await services.blobs.get(row.sampleBlob)
  if (source === undefined) throw new AppError('api.sample.not-found')
  return source
}

/** Expires a version, or all versions of a Template ID. Throws 'api.template.not-found'. */
export async function deleteTemplate(services: Services, account: string, ref: TemplateRef): Promise<void> {
  if (services.settings.stateless) {
    const row = await resolveStateless(services, account, ref)
    services.templates.forget(row.blob)
    return services.blobs.delete(row.blob)
  }
  const which = ref.kind === 'version' ? { versionId: ref.id } : { templateId: ref.id }
  const expired = await expireTemplates(services.sql, account, which, seconds(services))
  if (expired === 0) throw new AppError('api.template.not-found')
}

/** What PATCH may send, checked field by field already. */
export interface TemplatePatch {
  readonly id?: string
  readonly name?: string
  readonly comment?: string
  readonly category?: string
  readonly tags?: readonly string[]
  readonly deployedAt?: number
  readonly expireAt?: number
}

/**
 * Changes a version, and moves it when `id` is given. Returns its version id and the deployedAt that was stored.
 * Throws 'api.template.not-found', 'api.metadata', 'api.metadata.deployed', 'api.metadata.conflict'.
 */
export async function patchTemplate(
  services: Services,
  account: string,
  ref: TemplateRef,
  patch: TemplatePatch,
): Promise<{ readonly versionId: string; readonly deployedAt?: number }> {
  const now = seconds(services)
  const row = await resolveTemplate(services, account, ref)
  const deployedAt = patch.deployedAt === undefined ? undefined : checkDeployedAt(patch.deployedAt, now)
  const moves = patch.id !== undefined && patch.id !== row.templateId
  const templateId = patch.id ?? row.templateId
  const guard = await deploymentGuard(services, account, {
    row,
    templateId,
    moves,
    deployedAt,
    deploysNow: (patch.deployedAt ?? 0) >= deployNow,
  })
  const change: TemplateChange = {
    ...(moves ? { templateId: patch.id } : {}),
    name: patch.name,
    comment: patch.comment,
    category: patch.category,
    tags: patch.tags,
    ...(deployedAt === undefined ? {} : { deployedAt, deployOrder: deployOrder(services) }),
    ...(patch.expireAt === undefined ? {} : { expireAt: patch.expireAt }),
  }
  if (Object.values(change).some((value) => value !== undefined)) {
    const key = { account, versionId: row.versionId, now }
    const changed = await changeTemplate(services.sql, key, change, guard)
    // Someone else deployed or deleted in between: answer as if they had come first.
    if (!changed) {
      if (guard !== undefined && (await findVersion(services.sql, account, row.versionId, now)) !== undefined)
        throw new AppError('api.metadata.conflict', { deployedAt: guard.from })
      throw new AppError('api.template.not-found')
    }
  }
  return { versionId: row.versionId, ...(deployedAt === undefined ? {} : { deployedAt }) }
}

/**
 * A new deployedAt must come after that of the version deployed under the same Template ID; a version that is moved
 * must not tie with the one deployed there. "Now" always wins: a tie within one second goes to the later call.
 */
async function deploymentGuard(
  services: Services,
  account: string,
  wanted: {
    readonly row: TemplateRow
    readonly templateId: string | null
    readonly moves: boolean
    readonly deployedAt: number | undefined
    readonly deploysNow: boolean
  },
) {
  const { row, templateId, moves, deployedAt, deploysNow } = wanted
  if (templateId === null || deploysNow || (deployedAt === undefined && !moves)) return undefined
  const deployed = await findDeployed(services.sql, account, templateId, seconds(services))
  if (deployedAt !== undefined) {
    if (deployed !== undefined && deployedAt <= deployed.deployedAt)
      throw new AppError('api.metadata.deployed', { deployedAt: deployed.deployedAt })
    // Any number of versions may be not deployed.
    return deployedAt === 0 ? undefined : { templateId, from: deployedAt, exactly: false }
  }
  if (row.deployedAt === 0) return undefined
  if (deployed !== undefined && deployed.deployedAt === row.deployedAt)
    throw new AppError('api.metadata.conflict', { deployedAt: deployed.deployedAt })
  return { templateId, from: row.deployedAt, exactly: true }
}

export interface ListQuery extends Omit<TemplateFilter, 'after'> {
  readonly cursor?: string
}
export interface TemplatePage {
  readonly rows: readonly TemplateRow[]
  readonly hasMore: boolean
  readonly nextCursor: string // '' on the last page
}

/** One page of the list. Throws 'api.filters' for a cursor that is not ours. */
export async function pageOfTemplates(
  services: Services,
  account: string,
  { cursor, ...filter }: ListQuery,
): Promise<TemplatePage> {
  const after =
    cursor === undefined || cursor === '' ? undefined : await openCursor(services.secret, account, cursor)
  if (after === undefined && cursor !== undefined && cursor !== '')
    throw new AppError('api.filters', { issue: '"cursor" is not a cursor of this service' })
  const found = await listTemplates(
    services.sql,
    account,
    { ...filter, after, limit: filter.limit + 1 },
    seconds(services),
  )
  const hasMore = found.length > filter.limit
  const rows = hasMore ? found.slice(0, filter.limit) : found
  const last = rows.at(-1)
  const nextCursor = hasMore && last !== undefined ? await sealCursor(services.secret, account, last) : ''
  return { rows, hasMore, nextCursor }
}

export function categories(services: Services, account: string): Promise<readonly string[]> {
  return listCategories(services.sql, account, seconds(services))
}

export function tags(services: Services, account: string): Promise<readonly string[]> {
  return listTags(services.sql, account, seconds(services))
}
