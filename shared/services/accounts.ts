import { AppError } from '../errors/app-error.ts'
import {
  findAccount,
  findLostCharges,
  type OpenCharge,
  openCharge,
  settleCharge,
  usedCredits,
} from '../records/accounts.ts'
import { toHex } from './ids.ts'
import { asyncTimeoutMs, type Services, seconds } from './services.ts'

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

/** How often longer than any render a charge may be open before its process is taken for dead. */
const lifeFactor = 2

/**
 * Takes credits before the work begins, so that concurrent calls cannot spend the same ones. The charge is open until `settle`
 * or `refund`; if neither is called because the process has died, `refundLostCharges` refunds it. Throws 'api.credits' when
 * the account does not have enough.
 */
export async function charge(
  services: Pick<Services, 'sql' | 'clock' | 'ids' | 'settings'>,
  account: string,
  credits: number,
): Promise<OpenCharge> {
  const { sql, clock, ids, settings } = services
  const charged = { account, id: toHex(ids.random(12)), month: monthOf(clock.now()), credits }
  const lifeMs = lifeFactor * Math.max(settings.renderTimeoutMs, asyncTimeoutMs(settings))
  if (await openCharge(sql, charged, seconds(services) + Math.ceil(lifeMs / 1000))) return charged
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
 * Ends the charge of a render that succeeded, and refunds those of its credits that were not used. If that fails, it is only
 * logged, and the account gets all credits back later: the caller gets the document.
 */
export async function settle(
  services: Pick<Services, 'sql' | 'log'>,
  charged: OpenCharge | undefined,
  unused = 0,
): Promise<void> {
  if (charged === undefined) return
  const { account, credits } = charged
  await settleCharge(services.sql, charged, unused).catch((error: unknown) =>
    services.log.warn('credits.settle', { account, credits, unused, error }),
  )
}

/** Returns the credits of a render that failed. If that fails too, they are returned later: the caller gets the error of the render. */
export function refund(
  services: Pick<Services, 'sql' | 'log'>,
  charged: OpenCharge | undefined,
): Promise<void> {
  return settle(services, charged, charged?.credits)
}

/** Charges that one call of `refundLostCharges` handles. The next call continues with the others. */
const maxLost = 200

/**
 * Refunds charges whose process has died before it recorded an outcome. Several origins may run this at once: each charge is
 * refunded by one of them. Returns the number of charges refunded.
 */
export async function refundLostCharges(services: Pick<Services, 'sql' | 'clock' | 'log'>): Promise<number> {
  const { sql, log } = services
  let refunded = 0
  for (const lost of await findLostCharges(sql, seconds(services), maxLost))
    if (await settleCharge(sql, lost, lost.credits)) refunded++
  if (refunded > 0) log.info('credits.lost-refunded', { refunded })
  return refunded
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

/**
 * The response headers that report the remaining credits. There are none for an unlimited account, and none where the database
 * does not answer: what they belong to has been made or accepted, and must not be refused because of them.
 */
export async function creditHeaders(
  services: Pick<Services, 'sql' | 'clock' | 'log'>,
  account: string,
): Promise<Record<string, string>> {
  const credits = await balance(services, account).catch((error: unknown) =>
    services.log.warn('credits.report', { error }),
  )
  if (credits?.limit === undefined) return {}
  const { limit, remaining, resetAt } = credits
  return {
    'service-credits-limit': String(limit),
    'service-credits-remaining': String(remaining),
    'service-credits-reset': String(resetAt),
  }
}
