import { AppError } from '../errors/app-error.ts'
import { findAccount, returnCredits, takeCredits, usedCredits } from '../records/accounts.ts'
import type { Services } from './services.ts'

/** Credits that were taken for one render, to be given back if it fails. */
export interface Charge {
  readonly account: string
  readonly month: string
  readonly credits: number
}

/** Of an account that nobody decided otherwise for. */
export const sandboxCredits = 100
/** Test tokens: how long what they upload stays. */
export const testTemplateSeconds = 30 * 86_400

const megabyte = 1_048_576

/** One for each document and each megabyte of data that it starts. */
export function creditsFor(documentBytes: Iterable<number>): number {
  let credits = 0
  for (const bytes of documentBytes) credits += Math.max(1, Math.ceil(bytes / megabyte))
  return credits
}

/** Credits are counted by the month, in UTC. */
export function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7)
}

/** When the next month begins, in seconds. */
function nextMonth(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000
}

/** Takes them before the work is done, so that many calls at once cannot spend the same ones. Throws 'api.credits'. */
export async function charge(
  services: Pick<Services, 'sql' | 'clock'>,
  account: string,
  credits: number,
): Promise<Charge> {
  const month = monthOf(services.clock.now())
  if (await takeCredits(services.sql, account, month, credits)) return { account, month, credits }
  throw await creditsMissing(services, account, credits)
}

/** What to tell an account that cannot pay so many credits. */
export async function creditsMissing(
  services: Pick<Services, 'sql' | 'clock'>,
  account: string,
  needed: number,
): Promise<AppError> {
  const { limit, remaining } = await balance(services, account)
  return new AppError('api.credits', { needed, remaining, limit: limit ?? 0 })
}

/** Throws 'api.credits' for an account that has none left. */
export async function requireCredits(
  services: Pick<Services, 'sql' | 'clock'>,
  account: string,
): Promise<void> {
  const { limit, remaining } = await balance(services, account)
  if (limit !== undefined && remaining < 1) throw new AppError('api.credits', { needed: 1, remaining, limit })
}

/** A render that failed costs nothing. A failure to give back is logged, and never the caller's answer. */
export async function refund(
  services: Pick<Services, 'sql' | 'log'>,
  charged: Charge | undefined,
): Promise<void> {
  if (charged === undefined) return
  const { account, month, credits } = charged
  await returnCredits(services.sql, account, month, credits).catch((error: unknown) =>
    services.log.warn('credits.refund', { account, credits, error }),
  )
}

/** `limit` undefined: as many as wanted. */
export async function balance(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  account: string,
): Promise<{ readonly limit: number | undefined; readonly remaining: number; readonly resetAt: number }> {
  const now = clock.now()
  const [row, used] = await Promise.all([findAccount(sql, account), usedCredits(sql, account, monthOf(now))])
  const limit = row?.monthlyCredits ?? undefined
  return { limit, remaining: Math.max(0, (limit ?? 0) - used), resetAt: nextMonth(now) }
}

/** What an answer tells of the credits left; nothing where there is no limit. */
export async function creditHeaders(
  services: Pick<Services, 'sql' | 'clock'>,
  account: string,
): Promise<Record<string, string>> {
  const { limit, remaining, resetAt } = await balance(services, account)
  if (limit === undefined) return {}
  return {
    'service-credits-limit': String(limit),
    'service-credits-remaining': String(remaining),
    'service-credits-reset': String(resetAt),
  }
}
