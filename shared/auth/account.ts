import { entryOf } from '../entry-of.ts'
import { ownAccount, type TokenKind, tokenKinds } from '../records/accounts.ts'

/**
 * Account names are part of rows and file names. They are lower case, because some file systems ignore case.
 */
const accountName = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** The claim that names the account which a token acts for (docs/decisions/api-tokens.md). */
export const accountClaim = 'account'

/** Whether a value can be the name of an account. */
export function isAccountName(text: unknown): text is string {
  return typeof text === 'string' && accountName.test(text)
}

/**
 * The account that a token acts for. Without the claim it is the account that all callers share while
 * authentication is off. Returns undefined for a claim of another form.
 */
export function accountOf(claims: Readonly<Record<string, unknown>>): string | undefined {
  const account = entryOf(claims, accountClaim) ?? ownAccount
  return isAccountName(account) ? account : undefined
}

/**
 * The claim that distinguishes test tokens, which render PDFs with a watermark for free, from production
 * tokens.
 */
export const kindClaim = 'kind'

/** The kind of a token, 'production' without the claim. Returns undefined for a claim of another form. */
export function kindOf(claims: Readonly<Record<string, unknown>>): TokenKind | undefined {
  const kind = entryOf(claims, kindClaim) ?? 'production'
  return tokenKinds.find((tokenKind) => tokenKind === kind)
}
