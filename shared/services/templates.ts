import { AppError } from '../errors/app-error.ts'
import type { FormatPlugin } from '../plugin/contract.ts'
import type { ByteSource } from '../plugin/values.ts'
import {
  changeTemplate,
  deleteTemplates,
  findDeployed,
  findVersion,
  listCategories,
  listTags,
  listTemplates,
  parseTemplateRef,
  type TemplateChange,
  type TemplateFilter,
  type TemplateRef,
  type TemplateRow,
} from '../records/templates.ts'
import { openCursor, sealCursor } from './cursor.ts'
import { type Services, seconds } from './services.ts'
import { asWritten } from './stored-bytes.ts'
import { checkDeployedAt, deployNow } from './template-rules.ts'
import { deployOrder, namedKey } from './uploads.ts'

/**
 * Resolves an id to the row of a template: a Version ID to that version, a Template ID to the version
 * deployed now.
 * Throws 'api.template.not-found'.
 */
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

/** The file that a render starts from. */
export interface RenderTemplate {
  readonly format: FormatPlugin
  /** SHA-256 of the content, lower-case hex. */
  readonly hash: string
  /** The ids of a stored template, for the manifest of a document. `id` is absent for one without versioning. */
  readonly stored?: { readonly id?: string; readonly versionId: string }
  /** Set for a template that came inside the request. */
  readonly inline?: true
  /** The content from the template cache. May be shared memory, so it must not be written to. */
  bytes(): Promise<Uint8Array>
  /** The content as a stream of its own, never shared memory. */
  source(): Promise<ByteSource>
}

/** Throws 'api.template.not-found', 'api.template.unreadable'. */
export async function storedTemplate(
  services: Services,
  account: string,
  ref: TemplateRef,
): Promise<RenderTemplate> {
  const row = await resolveTemplate(services, account, ref)
  services.uses?.note(row)
  return rowTemplate(services, row)
}

/** The template of a row, which is read when the render needs it. Throws 'api.template.unreadable'. */
export function rowTemplate(services: Services, row: TemplateRow): RenderTemplate {
  const format = services.registry.format(row.format)
  if (format === undefined) throw new AppError('api.template.unreadable')
  const source = () => openTemplateFile(services, row)
  const { versionId, templateId } = row
  const stored = { ...(templateId !== null && { id: templateId }), versionId }
  return {
    format,
    hash: row.contentHash,
    stored,
    source,
    bytes: () => services.templates.get(row.blob, source),
  }
}

/**
 * A version of the template that an id names; without `versionId` the version that the id itself names.
 * Throws 'api.id.invalid', and 'api.template.not-found', also for a version of another template.
 */
export async function resolveVersionOf(
  services: Services,
  account: string,
  id: string,
  versionId: string | undefined,
): Promise<TemplateRow> {
  const ref = parseTemplateRef(id)
  if (versionId === undefined) return resolveTemplate(services, account, ref)
  const row = await resolveTemplate(services, account, { kind: 'version', id: versionId.toLowerCase() })
  if (ref.kind === 'template' && row.templateId === ref.id) return row
  if (ref.kind === 'template') throw new AppError('api.template.not-found')
  // A Version ID is resolved to the template that the version belongs to.
  const named = await resolveTemplate(services, account, ref)
  const isSame =
    named.versionId === row.versionId || (row.templateId !== null && named.templateId === row.templateId)
  if (!isSame) throw new AppError('api.template.not-found')
  return row
}

/**
 * Builds a row from the stored file alone, because there is no database in stateless mode. The format is
 * detected from the bytes.
 */
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
    checksBlob: null,
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

/**
 * Opens the stored file of a row. Throws 'api.template.unreadable' when the file is missing and
 * 'storage.damaged' when its size or digest differs from the row.
 */
export async function openTemplateFile(services: Services, row: TemplateRow): Promise<ByteSource> {
  const source = await services.blobs.get(row.blob)
  if (source === undefined) throw new AppError('api.template.unreadable')
  // A storage hook may serve other bytes on purpose, and in stateless mode no size or digest is recorded to
  // compare with.
  if (services.settings.stateless || services.hooks?.namesTemplates === true) return source
  return asWritten(services.hasher, source, { size: row.size, digest: row.contentHash })
}

/** Opens the sample of a template, stored as the JSON text of an array. Throws 'api.sample.not-found'. */
export async function openSample(services: Services, row: TemplateRow): Promise<ByteSource> {
  const source = row.sampleBlob === null ? undefined : await services.blobs.get(row.sampleBlob)
  if (source === undefined) throw new AppError('api.sample.not-found')
  return source
}

/** Deletes a version, or all versions of a Template ID. Throws 'api.template.not-found'. */
export async function deleteTemplate(services: Services, account: string, ref: TemplateRef): Promise<void> {
  if (services.settings.stateless) {
    const row = await resolveStateless(services, account, ref)
    services.templates.forget(row.blob)
    return services.blobs.delete(row.blob)
  }
  const selection = ref.kind === 'version' ? { versionId: ref.id } : { templateId: ref.id }
  const deleted = await deleteTemplates(services.sql, account, selection, seconds(services))
  if (deleted === 0) throw new AppError('api.template.not-found')
}

/**
 * The fields that a PATCH request may change. Each has been checked for type and length. Absent fields keep
 * their value.
 */
export interface TemplatePatch {
  readonly id?: string
  readonly name?: string
  readonly comment?: string
  readonly category?: string
  readonly tags?: readonly string[]
  readonly deployedAt?: number
  readonly expireAt?: number
}

/** Called before a version is deployed. It throws to refuse that. */
export type BeforeDeploy = (row: TemplateRow) => Promise<void>

/**
 * Changes a version, and moves it when `id` is given. Returns its version id and the deployedAt that was
 * stored.
 * Throws 'api.template.not-found', 'api.metadata', 'api.metadata.deployed', 'api.metadata.conflict', and what `beforeDeploy`
 * throws.
 */
export async function patchTemplate(
  services: Services,
  account: string,
  ref: TemplateRef,
  patch: TemplatePatch,
  beforeDeploy?: BeforeDeploy,
): Promise<{ readonly versionId: string; readonly deployedAt?: number }> {
  const now = seconds(services)
  const row = await resolveTemplate(services, account, ref)
  const deployedAt = patch.deployedAt === undefined ? undefined : checkDeployedAt(patch.deployedAt, now)
  const moves = patch.id !== undefined && patch.id !== row.templateId
  const templateId = patch.id ?? row.templateId
  const deploys = deployedAt !== undefined ? deployedAt > 0 : moves && row.deployedAt > 0
  const guard = await deploymentGuard(services, account, {
    row,
    templateId,
    moves,
    deployedAt,
    deploysNow: (patch.deployedAt ?? 0) >= deployNow,
  })
  if (deploys) await beforeDeploy?.(row)
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
    // Another request deployed or deleted the version after the check above. Answer as if it had come first.
    if (!changed) {
      if (guard !== undefined && (await findVersion(services.sql, account, row.versionId, now)) !== undefined)
        throw new AppError('api.metadata.conflict', { deployedAt: guard.from })
      throw new AppError('api.template.not-found')
    }
  }
  return { versionId: row.versionId, ...(deployedAt === undefined ? {} : { deployedAt }) }
}

/**
 * Checks a deployment and returns the condition that `changeTemplate` repeats inside its statement. A new
 * deployedAt must be later than that of the version deployed under the same Template ID, and a version that
 * moves to another Template ID must not have the same deployedAt as the one deployed there. A deployment
 * "now" needs no condition: between two of them in the same second `deployOrder` decides for the later call.
 * Throws 'api.metadata.deployed' and 'api.metadata.conflict'.
 */
async function deploymentGuard(
  services: Services,
  account: string,
  request: {
    readonly row: TemplateRow
    readonly templateId: string | null
    readonly moves: boolean
    readonly deployedAt: number | undefined
    readonly deploysNow: boolean
  },
) {
  const { row, templateId, moves, deployedAt, deploysNow } = request
  if (templateId === null || deploysNow || (deployedAt === undefined && !moves)) return undefined
  const deployed = await findDeployed(services.sql, account, templateId, seconds(services))
  if (deployedAt !== undefined) {
    if (deployed !== undefined && deployedAt <= deployed.deployedAt)
      throw new AppError('api.metadata.deployed', { deployedAt: deployed.deployedAt })
    // 0 means not deployed. Any number of versions may be not deployed, so there is nothing to compare with.
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

/**
 * Returns one page of the list of templates. Throws 'api.filters' for a cursor that this service did not
 * issue.
 */
export async function pageOfTemplates(
  services: Services,
  account: string,
  { cursor, ...filter }: ListQuery,
): Promise<TemplatePage> {
  const after =
    cursor === undefined || cursor === ''
      ? undefined
      : await openCursor(services.secret, account, 'templates', cursor)
  if (after === undefined && cursor !== undefined && cursor !== '')
    throw new AppError('api.filters', { issue: '"cursor" is not a cursor of this service' })
  const fetched = await listTemplates(
    services.sql,
    account,
    {
      ...filter,
      after: after && { deployedAt: after.time, versionId: after.id },
      limit: filter.limit + 1,
    },
    seconds(services),
  )
  const hasMore = fetched.length > filter.limit
  const rows = hasMore ? fetched.slice(0, filter.limit) : fetched
  const lastRow = rows.at(-1)
  const position =
    hasMore && lastRow !== undefined ? { time: lastRow.deployedAt, id: lastRow.versionId } : undefined
  const nextCursor =
    position === undefined ? '' : await sealCursor(services.secret, account, 'templates', position)
  return { rows, hasMore, nextCursor }
}

/** The categories of the deployed templates of an account, sorted. */
export function categories(services: Services, account: string): Promise<readonly string[]> {
  return listCategories(services.sql, account, seconds(services))
}

/** The tags of the deployed templates of an account, sorted. */
export function tags(services: Services, account: string): Promise<readonly string[]> {
  return listTags(services.sql, account, seconds(services))
}
