import type { StoredTemplate } from './model/client.ts'
import { sampleOf } from './model/options.ts'
import type { Session } from './session.ts'

/** The actions of a session on stored templates: lists, versions, saving, deploying. */

export interface SaveFields {
  readonly name: string
  readonly comment: string
  readonly category: string
  readonly tags: readonly string[]
  readonly withSample: boolean
  /** Shown only for a further version, since a new template has no deployed version yet. */
  readonly deploy: boolean
  /** Whether to save as a further version of the open template, when it has an id. */
  readonly asVersion: boolean
}

/** The `origin` of templates that are made in the studio. */
const fromStudio = 1
/** A time that the service reads as the moment of the call. */
const thisMoment = 42_000_000_000
const maxListed = 2000

export async function loadLibrary(session: Session): Promise<void> {
  await listed(session, async () => {
    const templates: StoredTemplate[] = []
    let cursor = ''
    do {
      const page = await session.client.list({ limit: '100', ...(cursor !== '' && { cursor }) })
      for (const item of page.data) templates.push(item)
      cursor = page.hasMore && templates.length < maxListed ? page.nextCursor : ''
    } while (cursor !== '')
    session.change({ library: templates })
  })
}

export async function loadVersions(session: Session): Promise<void> {
  const { generation } = session
  const id = session.state.template?.stored?.id ?? undefined
  if (id === undefined) return session.change({ versions: [] })
  await listed(session, async () => {
    const { data } = await session.client.list({ id, includeVersions: 'true' })
    const newest = data.toSorted((a, b) => b.createdAt - a.createdAt)
    if (generation === session.generation) session.change({ versions: newest })
  })
}

/** Throws ServiceError, and leaves the template as it is. */
export async function save(session: Session, fields: SaveFields): Promise<void> {
  const { template, options } = session.state
  if (template === undefined) return
  const { generation } = session
  const id = fields.asVersion ? (template.stored?.id ?? undefined) : undefined
  const sample = fields.withSample ? sampleOf(options) : []
  const { name, comment, category, tags } = fields
  const meta = { name, comment, tags, origin: fromStudio }
  const { type, mime } = template.kind
  const answer = await session.client.upload(
    {
      ...meta,
      category,
      ...(id === undefined ? { versioning: true } : { id }),
      ...(id !== undefined && !fields.deploy && { deployedAt: 0 }),
      ...(sample.length > 0 && { sample }),
    },
    new File([template.bytes], `template.${type}`, { type: mime }),
  )
  const saved = {
    // A service without a database identifies templates by their hash alone.
    versionId: String(answer['versionId'] ?? answer['templateId']),
    id: typeof answer['id'] === 'string' ? answer['id'] : null,
    createdAt: Number(answer['createdAt'] ?? 0),
    expireAt: Number(answer['expireAt'] ?? 0),
    deployedAt: Number(answer['deployedAt'] ?? 0),
    size: template.bytes.length,
    type: String(answer['type'] ?? answer['templateExtension'] ?? type),
    ...meta,
  }
  session.notify({ type: 'template:saved', detail: { ...saved, sample } })
  const { template: open } = session.state
  if (generation === session.generation && open !== undefined) {
    const changed = open.bytes !== template.bytes
    session.change({
      template: { ...open, name: name || open.name, stored: { ...saved, category }, changed },
    })
  }
  await renewLists(session)
}

/** Makes this the version that renders by Template ID use. Throws ServiceError. */
export async function deploy(session: Session, versionId: string): Promise<void> {
  await session.client.change(versionId, { deployedAt: thisMoment })
  await renewLists(session)
  const { template, versions } = session.state
  const stored = versions.find((version) => version.versionId === template?.stored?.versionId)
  if (stored !== undefined && template !== undefined) session.change({ template: { ...template, stored } })
}

export type Details = Pick<SaveFields, 'name' | 'comment' | 'category' | 'tags'>

/** Changes what is listed of the open version. Throws ServiceError. */
export async function changeDetails(session: Session, details: Details): Promise<void> {
  const { generation } = session
  const stored = session.state.template?.stored
  if (stored === undefined) return
  await session.client.change(stored.versionId, details)
  const { template } = session.state
  if (generation === session.generation && template?.stored?.versionId === stored.versionId)
    session.change({
      template: {
        ...template,
        name: details.name || template.name,
        stored: { ...template.stored, ...details },
      },
    })
  await renewLists(session)
}

/** Deletes all versions of the open template and closes it. Throws ServiceError. */
export async function removeTemplate(session: Session): Promise<void> {
  const stored = session.state.template?.stored
  if (stored === undefined) return
  await session.client.remove(stored.id ?? stored.versionId)
  if (session.state.template?.stored?.versionId === stored.versionId) session.close()
  await renewLists(session)
}

/** Deletes a version that is not open. Throws ServiceError. */
export async function removeVersion(session: Session, versionId: string): Promise<void> {
  await session.client.remove(versionId)
  await renewLists(session)
}

/** The version that renders by Template ID use, which is the one deployed last. */
export function deployedOf(versions: readonly StoredTemplate[]): StoredTemplate | undefined {
  return versions
    .filter(({ deployedAt }) => deployedAt > 0)
    .toSorted((a, b) => b.deployedAt - a.deployedAt)[0]
}

async function renewLists(session: Session): Promise<void> {
  await Promise.all([
    loadVersions(session),
    session.state.library === undefined ? undefined : loadLibrary(session),
  ])
}

async function listed(session: Session, run: () => Promise<void>): Promise<void> {
  try {
    await run()
    session.change({ libraryNote: '' })
  } catch (error) {
    session.change({ libraryNote: session.failed(error).message })
  }
}
