import { type TokenKind, tokenKinds } from '../records/accounts.ts'
import { ownAccount } from '../services/services.ts'

/** Accounts stand in rows and in the names of files: lower case, so that no file system mixes two of them up. */
const accountName = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** The claim that names the account which a token acts for (docs/decisions/api-tokens.md). */
export const accountClaim = 'account'

export function isAccountName(text: unknown): text is string {
  return typeof text === 'string' && accountName.test(text)
}

/** A token without the claim acts for the account that the service has while authentication is off. */
export function accountOf(claims: Readonly<Record<string, unknown>>): string | undefined {
  const account = claims[accountClaim] ?? ownAccount
  return isAccountName(account) ? account : undefined
}

/** The claim that tells a test token, which gives marked PDFs for free, from a production token. */
export const kindClaim = 'kind'

/** A token without the claim is for production. undefined for a claim of another form. */
export function kindOf(claims: Readonly<Record<string, unknown>>): TokenKind | undefined {
  const kind = claims[kindClaim] ?? 'production'
  return tokenKinds.find((known) => known === kind)
}
