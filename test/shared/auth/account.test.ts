import { describe, expect, it } from 'vitest'
import { accountOf } from '../../../shared/auth/account.ts'

describe('account of a token', () => {
  const rows: readonly (readonly [claims: Record<string, unknown>, account: string | undefined])[] = [
    [{}, 'self'],
    [{ account: 'acme' }, 'acme'],
    [{ account: '0-a_b' }, '0-a_b'],
    [{ account: 'a'.repeat(64) }, 'a'.repeat(64)],
    [{ account: 'a'.repeat(65) }, undefined],
    [{ account: '' }, undefined],
    [{ account: '-a' }, undefined],
    [{ account: 'a/b' }, undefined],
    [{ account: 'a.b' }, undefined],
    [{ account: 'a\n' }, undefined],
    [{ account: 'A' }, undefined],
    [{ account: ['a'] }, undefined],
    [{ sub: 'someone', iss: 'else' }, 'self'],
  ]
  for (const [claims, account] of rows) {
    it(`${JSON.stringify(claims).slice(0, 40)}: ${account ?? 'none'}`, () => {
      expect(accountOf(claims)).toBe(account)
    })
  }
})
