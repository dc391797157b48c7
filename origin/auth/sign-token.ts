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
  readonly expiresAt: number // seconds
  readonly issuedAt?: number // seconds; absent: now
  readonly account?: string
  readonly kind?: TokenKind // absent: production
}

/** One client library takes no token below 300 characters: with an id of this many bytes none of any key type is. */
const idBytes = 48

/** A signed token. The type of the private key decides the algorithm. Throws 'auth.keys' for types that are not taken. */
export async function signToken(privateKeyPath: string, claims: TokenClaims): Promise<string> {
  const [known] = await readPublicKeys(await publicHalf(privateKeyPath))
  const { account, kind } = claims
  const ours = {
    ...(account === undefined ? {} : { [accountClaim]: account }),
    ...(kind === undefined ? {} : { [kindClaim]: kind }),
  }
  return new SignJWT(ours)
    .setProtectedHeader({ alg: known!.algorithms[0]!, typ: 'JWT' })
    .setIssuer(claims.issuer)
    .setAudience(claims.audience)
    .setIssuedAt(claims.issuedAt)
    .setExpirationTime(claims.expiresAt)
    .setJti(randomBytes(idBytes).toString('base64url'))
    .sign(createPrivateKey(await readFile(privateKeyPath)))
}
