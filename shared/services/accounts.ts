import { AppError } from '../errors/app-error.ts'
import { findAccount, returnCredits, takeCredits, usedCredits } from '../records/accounts.ts'
import type { Services } from './services.ts'

/** Credits that were charged for one render. They are refunded if it fails. */
export interface Charge {
  readonly account: string
  readonly month: string // such as 2026-11, in UTC
  readonly credits: number
}

/** The monthly credits of an account that was created without another allowance. */
export const sandboxCredits = 100
/** How long a template that was uploaded with a test token is kept, in seconds. */
export const testTemplateSeconds = 30 * 86_400

const megabyte = 1_048_576

/** One credit for each started megabyte of data of each document, and at least one for each document. */
export function creditsFor(documentBytes: Iterable<number>): number {
  let credits = 0
  for (const bytes of documentBytes) credits += Math.max(1, Math.ceil(bytes / megabyte))
  return credits
}

/**
 * The month in which credits are counted, such as '2026-11', in UTC. `ms` is in milliseconds since the epoch.
 */
export function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7)
}

/** The beginning of the next month, in UTC seconds. */
function nextMonth(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000
}

/**
 * Takes credits before the work begins, so that concurrent calls cannot spend the same ones. Throws
 * 'api.credits' when the account does not have enough.
 */
export async function charge(
  services: Pick<Services, 'sql' | 'clock'>,
  account: string,
  credits: number,
): Promise<Charge> {
  const month = monthOf(services.clock.now())
  if (await takeCredits(services.sql, account, month, credits)) return { account, month, credits }
  throw await creditsMissing(services, account, credits)
}

/** The error for an account that has fewer credits than `needed`. */
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

/**
 * Returns the credits of a render that failed. If that fails too, it is only logged: the caller gets the
 * error of the render.
 */
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

/**
 * The credits of the current month. `limit` is undefined for an unlimited account. `resetAt` is in UTC
 * seconds.
 */
export async function balance(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  account: string,
): Promise<{ readonly limit: number | undefined; readonly remaining: number; readonly resetAt: number }> {
  const now = clock.now()
  const [row, used] = await Promise.all([findAccount(sql, account), usedCredits(sql, account, monthOf(now))])
  const limit = row?.monthlyCredits ?? undefined
  return { limit, remaining: Math.max(0, (limit ?? 0) - used), resetAt: nextMonth(now) }
}

/** The response headers that report the remaining credits. There are none for an unlimited account. */
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
