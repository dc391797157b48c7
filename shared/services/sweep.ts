import { findUsedKeys } from '../records/blob-keys.ts'
import { replaceExpired } from '../records/deployed.ts'
import { removeExpiredKeys } from '../records/idempotency-keys.ts'
import { removeJobsBefore } from '../records/jobs.ts'
import { freeLease, takeLease } from '../records/leases.ts'
import { indexNames } from '../records/name-index.ts'
import { removeExpiredRenders } from '../records/renders.ts'
import { removeRevokedBefore } from '../records/revoked-tokens.ts'
import { beginUses, findUnused, forgetUses, removeUnused } from '../records/template-uses.ts'
import { findSweepable, maxSwept, removeSwept, type TemplateRow } from '../records/templates.ts'
import { toHex } from './ids.ts'
import { type Services, seconds } from './services.ts'
import { dayOf } from './template-uses.ts'

/** Rows that one statement removes or finds. It bounds memory and the time of a statement. */
const pageSize = 200
/** How long the state of an ended job can still be requested, in seconds. */
const endedJobSeconds = 86_400
/**
 * The maximum number of rows of one kind that a run removes. A Worker may make 1,000 calls to stores in one invocation,
 * and a run of this size makes fewer than half of them. The next run continues.
 */
const maxRows = 4000
/** The maximum number of calls to stores for expired templates, whose files are looked up by account. */
const maxTemplateCalls = 300
const maxUnused = 200
/** The maximum number of calls that add names from before the index of names, 45 versions each. */
const maxIndexCalls = 100
const maxListed = 5000

export interface Swept {
  readonly renders: number
  readonly templates: number
}

/**
 * Removes what has expired: ended jobs, revocations of expired tokens, renders, templates whose retention
 * after expiry has passed, and templates without versioning that have not been used for `templateUnusedDays`.
 * Each row is deleted before its files, so that no row that can still be found refers to a missing file.
 * Also adds names to the index of searches that were stored before it. Returns how many renders and templates were removed.
 */
export async function sweep(services: Services): Promise<Swept> {
  await removeJobsBefore(services.sql, seconds(services) - endedJobSeconds)
  await removeRevokedBefore(services.sql, seconds(services))
  await sweepKeys(services)
  for (let calls = 0; calls < maxIndexCalls && (await indexNames(services.sql)); calls++);
  const renders = await sweepRenders(services)
  return { renders, templates: (await sweepTemplates(services)) + (await sweepUnused(services)) }
}

/** A run that takes longer than this has died, and another process takes over. */
const leaseSeconds = 900
/** How long after the last file of a listing the next listing begins. */
const relistSeconds = 86_400

/** Where the search for orphans continues. It is stored as the text of the lease. */
interface OrphanState {
  readonly after: string // key of the last file that was looked at; '': from the first
  readonly startAt: number // seconds; not before
}

/**
 * Runs `sweep`, and then a part of `sweepOrphans`, unless another process of this service does so at the moment. The
 * files are listed in parts, one after another, and all of them once a day. Returns undefined when another process has
 * the lease.
 */
export async function sweepAsLeader(
  services: Services,
): Promise<(Swept & { readonly orphans: number }) | undefined> {
  const { sql, ids } = services
  const lease = { name: 'sweep', holder: toHex(ids.random(8)) }
  const now = seconds(services)
  const text = await takeLease(sql, lease, { now, until: now + leaseSeconds })
  if (text === undefined) return undefined
  let state = readState(text)
  try {
    const swept = await sweep(services)
    if (now < state.startAt) return { ...swept, orphans: 0 }
    const { removed, after } = await sweepOrphans(services, state.after)
    state = { after, startAt: after === '' ? now + relistSeconds : 0 }
    return { ...swept, orphans: removed }
  } finally {
    await freeLease(sql, lease, JSON.stringify(state))
  }
}

function readState(text: string): OrphanState {
  return text === '' ? { after: '', startAt: 0 } : (JSON.parse(text) as OrphanState)
}

/**
 * A file is written before its row. A file younger than this may belong to a request that has not written its
 * row yet, so it is not an orphan. Two hours are far longer than any upload or render may take.
 */
const orphanAgeMs = 2 * 3600 * 1000
/** How long the pictures of pages are kept that `GET /template/:id/preview` draws. They have no row either. */
const previewAgeMs = 24 * 3600 * 1000
/** The number of keys that `findUsedKeys` accepts in one query. */
const maxKeysPerPass = 90

/**
 * Removes files that no row refers to, and old previews, among a bounded number of files whose key comes after `after`. A crash between
 * writing a file and its row leaves such files. In stateless mode templates have no rows, so only renders and jobs are
 * checked. Returns the number of removed files, and the key to go on after, '' at the end of the list.
 */
export async function sweepOrphans(
  services: Services,
  after = '',
): Promise<{ readonly removed: number; readonly after: string }> {
  const now = services.clock.now()
  let removed = 0
  let listed = 0
  let page: string[] = []
  const removeUnusedKeys = async () => {
    const keys = page
    page = []
    for (const [account, accountKeys] of Map.groupBy(keys, (key) => key.split('/')[0] ?? '')) {
      const usedKeys = await findUsedKeys(services.sql, account, accountKeys)
      removed += await deleteBlobs(
        services,
        accountKeys.filter((key) => !usedKeys.has(key)),
      )
    }
  }
  let lastKey = ''
  for await (const { key, writtenAt } of services.blobs.list('', after === '' ? undefined : after)) {
    if (listed++ === maxListed) break
    lastKey = key
    const isPreview = key.split('/')[1] === 'previews'
    if (writtenAt > now - (isPreview ? previewAgeMs : orphanAgeMs)) continue
    if (!isPreview && !isRecorded(services, key)) continue
    page.push(key)
    if (page.length === maxKeysPerPass) await removeUnusedKeys()
  }
  if (page.length > 0) await removeUnusedKeys()
  return { removed, after: listed > maxListed ? lastKey : '' }
}

/** Deletes files, in as few calls as the store allows. Returns their number. */
async function deleteBlobs({ blobs }: Services, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0
  if (blobs.deleteMany !== undefined) await blobs.deleteMany(keys)
  else for (const key of keys) await blobs.delete(key)
  return keys.length
}

/** Whether a file of this kind is stored together with a row. The kind is the second segment of its key. */
function isRecorded(services: Services, key: string): boolean {
  const kind = key.split('/')[1]
  return (
    kind === 'renders' ||
    kind === 'jobs' ||
    kind === 'answers' ||
    (!services.settings.stateless && (kind === 'templates' || kind === 'samples' || kind === 'checks'))
  )
}

async function sweepRenders(services: Services): Promise<number> {
  let count = 0
  while (count < maxRows) {
    const keys = await removeExpiredRenders(services.sql, seconds(services), pageSize)
    count += await deleteBlobs(services, keys)
    if (keys.length < pageSize) break
  }
  return count
}

/** Answers to calls with an `Idempotency-Key`, and their files. */
async function sweepKeys(services: Services): Promise<void> {
  for (let count = 0; count < maxRows; ) {
    const removed = await removeExpiredKeys(services.sql, seconds(services), pageSize)
    await deleteBlobs(
      services,
      removed.filter((blob) => blob !== ''),
    )
    count += removed.length
    if (removed.length < pageSize) return
  }
}

async function sweepTemplates(services: Services): Promise<number> {
  const now = seconds(services)
  const cutoff = now - services.settings.templateRetentionSeconds
  let count = 0
  for (let calls = 0; calls < maxTemplateCalls; ) {
    const rows = await findSweepable(services.sql, cutoff, maxSwept)
    const accounts = new Set(rows.map((row) => row.account))
    calls += 3 + 4 * accounts.size
    for (const account of accounts) await replaceExpired(services.sql, account, now)
    const removed = rows.length === 0 ? [] : await removeSwept(services.sql, rows, cutoff)
    await removeFiles(services, removed)
    count += removed.length
    if (rows.length < maxSwept) break
  }
  return count
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
  const removed: TemplateRow[] = []
  for (const row of await findUnused(sql, today - days, maxUnused))
    if (await removeUnused(sql, row, today - days)) removed.push(row)
  await removeFiles(services, removed)
  return removed.length
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

/** Deletes the files of removed rows, except those that another row refers to. */
async function removeFiles(services: Services, rows: readonly TemplateRow[]): Promise<void> {
  for (const [account, accountRows] of Map.groupBy(rows, (row) => row.account)) {
    const keys = [
      ...new Set(
        accountRows
          .flatMap(({ blob, sampleBlob, checksBlob }) => [blob, sampleBlob, checksBlob])
          .filter((key) => key !== null),
      ),
    ]
    for (let start = 0; start < keys.length; start += maxKeysPerPass) {
      const batch = keys.slice(start, start + maxKeysPerPass)
      const usedKeys = await findUsedKeys(services.sql, account, batch)
      const unused = batch.filter((key) => !usedKeys.has(key))
      for (const key of unused) services.templates.forget(key)
      await deleteBlobs(services, unused)
    }
  }
}
