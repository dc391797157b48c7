import { createPrivateKey, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { SignJWT } from 'jose'
import { accountClaim, kindClaim } from '../../shared/auth/account.ts'
import { readPublicKeys } from '../../shared/auth/keys.ts'
import type { TokenKind } from '../../shared/records/accounts.ts'
import { publicHalf } from './key-files.ts'

export interface TokenClaims {
  readonly issuer: string
  readonly audience: string
  readonly expiresAt: number // seconds since the epoch
  readonly issuedAt?: number // seconds since the epoch; absent: now
  readonly account?: string
  readonly kind?: TokenKind // absent: production
}

/**
 * The length of the random token ID. One client library rejects tokens shorter than 300 characters; with this
 * many bytes, tokens of every key type are longer.
 */
const idBytes = 48

/**
 * Signs a token. The type of the private key determines the algorithm. Throws 'auth.keys' for unsupported
 * types.
 */
export async function signToken(privateKeyPath: string, claims: TokenClaims): Promise<string> {
  const [publicKey] = await readPublicKeys(await publicHalf(privateKeyPath))
  const { account, kind } = claims
  const payload = {
    ...(account === undefined ? {} : { [accountClaim]: account }),
    ...(kind === undefined ? {} : { [kindClaim]: kind }),
  }
  return new SignJWT(payload)
    .setProtectedHeader({ alg: publicKey!.algorithms[0]!, typ: 'JWT' })
    .setIssuer(claims.issuer)
    .setAudience(claims.audience)
    .setIssuedAt(claims.issuedAt)
    .setExpirationTime(claims.expiresAt)
    .setJti(randomBytes(idBytes).toString('base64url'))
    .sign(createPrivateKey(await readFile(privateKeyPath)))
}
