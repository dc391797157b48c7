import { findUsedKeys } from '../records/blob-keys.ts'
import { removeJobsBefore } from '../records/jobs.ts'
import { findExpiredRenders, removeRender } from '../records/renders.ts'
import { removeRevokedBefore } from '../records/revoked-tokens.ts'
import { beginUses, findUnused, forgetUses, removeUnused } from '../records/template-uses.ts'
import { findSweepable, removeSwept, type TemplateRow } from '../records/templates.ts'
import { type Services, seconds } from './services.ts'
import { dayOf } from './template-uses.ts'

/** Rows that one query returns. It bounds memory and the time of a statement. */
const pageSize = 200
/** How long the state of an ended job can still be requested, in seconds. */
const endedJobSeconds = 86_400

/**
 * Removes what has expired: ended jobs, revocations of expired tokens, renders, templates whose retention
 * after expiry has passed, and templates without versioning that have not been used for `templateUnusedDays`.
 * Each row is deleted before its files, so that no row that can still be found refers to a missing file.
 * Returns how many renders and templates were removed.
 */
export async function sweep(services: Services): Promise<{ renders: number; templates: number }> {
  await removeJobsBefore(services.sql, seconds(services) - endedJobSeconds)
  await removeRevokedBefore(services.sql, seconds(services))
  const renders = await sweepRenders(services)
  return { renders, templates: (await sweepTemplates(services)) + (await sweepUnused(services)) }
}

/**
 * A file is written before its row. A file younger than this may belong to a request that has not written its
 * row yet, so it is not an orphan. Two hours are far longer than any upload or render may take.
 */
const orphanAgeMs = 2 * 3600 * 1000
/** The number of keys that `findUsedKeys` accepts in one query. */
const keysAtOnce = 90

/**
 * Removes files that no row refers to. A crash between writing a file and its row leaves such files. In
 * stateless mode templates have no rows, so only renders and jobs are checked. Returns the number of removed
 * files.
 */
export async function sweepOrphans(services: Services): Promise<number> {
  const oldest = services.clock.now() - orphanAgeMs
  let count = 0
  let page: string[] = []
  const removeUnusedKeys = async () => {
    const keys = page
    page = []
    for (const [account, own] of Map.groupBy(keys, (key) => key.split('/')[0] ?? '')) {
      const used = await findUsedKeys(services.sql, account, own)
      for (const key of own) {
        if (used.has(key)) continue
        await services.blobs.delete(key)
        count++
      }
    }
  }
  for await (const { key, writtenAt } of services.blobs.list('')) {
    if (writtenAt > oldest || !isRecorded(services, key)) continue
    page.push(key)
    if (page.length === keysAtOnce) await removeUnusedKeys()
  }
  if (page.length > 0) await removeUnusedKeys()
  return count
}

/** Whether a file of this kind is stored together with a row. The kind is the second segment of its key. */
function isRecorded(services: Services, key: string): boolean {
  const kind = key.split('/')[1]
  return (
    kind === 'renders' ||
    kind === 'jobs' ||
    (!services.settings.stateless && (kind === 'templates' || kind === 'samples'))
  )
}

async function sweepRenders(services: Services): Promise<number> {
  let count = 0
  while (true) {
    const rows = await findExpiredRenders(services.sql, seconds(services), pageSize)
    for (const row of rows) {
      await removeRender(services.sql, row.id)
      await services.blobs.delete(row.blob)
    }
    count += rows.length
    if (rows.length < pageSize) return count
  }
}

async function sweepTemplates(services: Services): Promise<number> {
  const cutoff = seconds(services) - services.settings.templateRetentionSeconds
  let count = 0
  while (true) {
    const rows = await findSweepable(services.sql, cutoff, pageSize)
    for (const row of rows) if (await removeSwept(services.sql, row, cutoff)) await removeFiles(services, row)
    count += rows.length
    if (rows.length < pageSize) return count
  }
}

/**
 * Removes templates without versioning that have not been used for `templateUnusedDays`. A template whose
 * last use was not recorded, because it was stored before the setting was made, counts as used on the day of
 * the first cleanup that finds it. While the setting is 0 the recorded days are erased, because they are no
 * longer updated.
 */
async function sweepUnused(services: Services): Promise<number> {
  const { sql, settings } = services
  const { templateUnusedDays: days = 0, stateless } = settings
  const today = dayOf(services.clock.now())
  if (stateless) return days === 0 ? 0 : sweepUnusedFiles(services, today - days)
  if (days === 0) {
    await forgetUses(sql)
    return 0
  }
  await beginUses(sql, today)
  let count = 0
  while (true) {
    const rows = await findUnused(sql, today - days, pageSize)
    for (const row of rows) {
      if (!(await removeUnused(sql, row, today - days))) continue
      count++
      await removeFiles(services, row)
    }
    if (rows.length < pageSize) return count
  }
}

/** The same in stateless mode, where the modification time of a file records its last use. */
async function sweepUnusedFiles(services: Services, before: number): Promise<number> {
  let count = 0
  for await (const { key, writtenAt } of services.blobs.list('')) {
    if (key.split('/')[1] !== 'templates' || dayOf(writtenAt) >= before) continue
    services.templates.forget(key)
    await services.blobs.delete(key)
    count++
  }
  return count
}

/** Deletes the files of a removed row, except those that another row refers to. */
async function removeFiles(services: Services, { account, blob, sampleBlob }: TemplateRow): Promise<void> {
  const keys = sampleBlob === null ? [blob] : [blob, sampleBlob]
  const used = await findUsedKeys(services.sql, account, keys)
  for (const key of keys) {
    if (used.has(key)) continue
    services.templates.forget(key)
    await services.blobs.delete(key)
  }
}
