import { findUsedKeys } from '../records/blob-keys.ts'
import { removeJobsBefore } from '../records/jobs.ts'
import { findExpiredRenders, removeRender } from '../records/renders.ts'
import { removeRevokedBefore } from '../records/revoked-tokens.ts'
import { beginUses, findUnused, forgetUses, removeUnused } from '../records/template-uses.ts'
import { findSweepable, removeSwept, type TemplateRow } from '../records/templates.ts'
import { type Services, seconds } from './services.ts'
import { dayOf } from './template-uses.ts'

const pageSize = 200
/** A job that has ended can be asked for so long. */
const endedJobSeconds = 86_400

/**
 * Removes what is over: renders past their hour, templates whose retention after expiry has passed or that, without
 * versioning, nobody has used for long. Rows go before files, so that a file is never missing under a row that can still
 * be found. Returns how many of each.
 */
export async function sweep(services: Services): Promise<{ renders: number; templates: number }> {
  await removeJobsBefore(services.sql, seconds(services) - endedJobSeconds)
  await removeRevokedBefore(services.sql, seconds(services))
  const renders = await sweepRenders(services)
  return { renders, templates: (await sweepTemplates(services)) + (await sweepUnused(services)) }
}

/** A file is written before its row: only when this much time has passed is it certain that none will come. */
const orphanAgeMs = 2 * 3600 * 1000
const keysAtOnce = 90

/**
 * Removes files that no row names: what a crash between file and row left behind. Without a database a template is a
 * file alone, and only renders are looked at. Returns how many.
 */
export async function sweepOrphans(services: Services): Promise<number> {
  const oldest = services.clock.now() - orphanAgeMs
  let count = 0
  let page: string[] = []
  const judge = async () => {
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
    if (writtenAt > oldest || !isSwept(services, key)) continue
    page.push(key)
    if (page.length === keysAtOnce) await judge()
  }
  if (page.length > 0) await judge()
  return count
}

function isSwept(services: Services, key: string): boolean {
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
 * Templates without versioning that have lain unused for so many whole days. One of which nothing is known, because the
 * retention was set later than it was stored, counts from the first sweep that sees it.
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

/** The files of a row that is gone, except one that another row names. */
async function removeFiles(services: Services, { account, blob, sampleBlob }: TemplateRow): Promise<void> {
  const keys = sampleBlob === null ? [blob] : [blob, sampleBlob]
  const used = await findUsedKeys(services.sql, account, keys)
  for (const key of keys) {
    if (used.has(key)) continue
    services.templates.forget(key)
    await services.blobs.delete(key)
  }
}
