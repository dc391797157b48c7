import { findExpiredRenders, removeRender } from '../records/renders.ts'
import { findSweepable, removeSwept } from '../records/templates.ts'
import { type Services, seconds } from './services.ts'

const pageSize = 200

/**
 * Removes what is over: renders past their hour, templates whose retention after expiry has passed. Rows go before
 * files, so that a file is never missing under a row that can still be found. Returns how many of each.
 */
export async function sweep(services: Services): Promise<{ renders: number; templates: number }> {
  return { renders: await sweepRenders(services), templates: await sweepTemplates(services) }
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
    for (const row of rows) {
      if (!(await removeSwept(services.sql, row, cutoff))) continue
      services.templates.forget(row.blob)
      await services.blobs.delete(row.blob)
      if (row.sampleBlob !== null) await services.blobs.delete(row.sampleBlob)
    }
    count += rows.length
    if (rows.length < pageSize) return count
  }
}
