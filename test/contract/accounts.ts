import { beforeAll, describe, expect, it } from 'vitest'
import type { Sql } from '../../shared/ports/sql.ts'
import {
  endToken,
  findAccount,
  findStanding,
  listAccounts,
  listTokens,
  removeAccount,
  returnCredits,
  saveAccount,
  saveToken,
  setAllowance,
  setClosed,
  takeCredits,
  usedCredits,
} from '../../shared/records/accounts.ts'
import { findKey, keepAnswer, takeKey } from '../../shared/records/idempotency-keys.ts'

/** The records of a hosted service over a migrated database. */
export function accountsContract(name: string, open: () => Promise<Sql>): void {
  describe(`accounts: ${name}`, () => {
    let sql: Sql
    let count = 0
    beforeAll(async () => {
      sql = await open()
    })
    const account = async (monthlyCredits: number | null) => {
      const made = `a${count++}`
      await saveAccount(sql, { name: made, monthlyCredits, createdAt: 5, closedAt: null })
      return made
    }
    const month = '2026-11'

    it('a name is taken once', async () => {
      const made = await account(7)
      expect(await findAccount(sql, made)).toEqual({
        name: made,
        monthlyCredits: 7,
        createdAt: 5,
        closedAt: null,
      })
      const again = { name: made, monthlyCredits: null, createdAt: 6, closedAt: null }
      await expect(saveAccount(sql, again)).rejects.toMatchObject({ code: 'storage.conflict' })
      expect(await findAccount(sql, 'nobody')).toBeUndefined()
    })

    it('credits are taken all or none, up to the allowance of the month', async () => {
      const made = await account(10)
      const takes: readonly (readonly [number, boolean])[] = [
        [4, true],
        [7, false],
        [6, true],
        [1, false],
      ]
      for (const [credits, taken] of takes)
        expect([credits, await takeCredits(sql, made, month, credits)]).toEqual([credits, taken])
      expect(await usedCredits(sql, made, month)).toBe(10)
      expect(await takeCredits(sql, made, '2026-12', 10)).toBe(true)
      expect(await takeCredits(sql, await account(3), month, 4)).toBe(false)
      expect(await takeCredits(sql, 'nobody', month, 1)).toBe(false)
    })

    it('as many simultaneous calls succeed as there are credits', async () => {
      const made = await account(10)
      const taken = await Promise.all(Array.from({ length: 25 }, () => takeCredits(sql, made, month, 1)))
      expect([taken.filter(Boolean).length, await usedCredits(sql, made, month)]).toEqual([10, 10])
    })

    it('credits that are given back can be taken again; a larger allowance applies at once; without one there is no limit', async () => {
      const made = await account(2)
      expect(await takeCredits(sql, made, month, 2)).toBe(true)
      await returnCredits(sql, made, month, 1)
      expect([await takeCredits(sql, made, month, 1), await takeCredits(sql, made, month, 1)]).toEqual([
        true,
        false,
      ])
      await returnCredits(sql, made, month, 100)
      expect(await usedCredits(sql, made, month)).toBe(0)
      expect(await setAllowance(sql, made, null)).toBe(true)
      expect(await takeCredits(sql, made, month, 5_000_000_000)).toBe(true)
      expect(await setAllowance(sql, made, 1)).toBe(true)
      expect(await takeCredits(sql, made, month, 1)).toBe(false)
      expect(await setAllowance(sql, 'nobody', 1)).toBe(false)
      const row = (await listAccounts(sql, month)).find((each) => each.name === made)
      expect([row?.used, row?.monthlyCredits]).toEqual([5_000_000_000, 1])
    })

    it('an account can be closed and reopened; ending a token never extends it', async () => {
      const made = await account(null)
      const token = {
        account: made,
        token: 'f'.repeat(64),
        kind: 'test',
        label: "it's",
        createdAt: 1,
        expiresAt: 99,
        endsAt: null,
      } as const
      await saveToken(sql, token)
      await saveToken(sql, { ...token, token: 'e'.repeat(64), kind: 'production', createdAt: 2 })
      expect((await listTokens(sql, made)).map(({ kind, label }) => [kind, label])).toEqual([
        ['production', "it's"],
        ['test', "it's"],
      ])
      const standing = () => findStanding(sql, made, token.token)
      expect(await standing()).toEqual({ closed: false, endsAt: null })
      await endToken(sql, made, token.token, 50)
      await endToken(sql, made, token.token, 60)
      expect(await standing()).toEqual({ closed: false, endsAt: 50 })
      await endToken(sql, made, token.token, 40)
      expect(await setClosed(sql, made, 30)).toBe(true)
      expect(await standing()).toEqual({ closed: true, endsAt: 40 })
      expect(await setClosed(sql, made, null)).toBe(true)
      expect(await findStanding(sql, made, 'unknown')).toEqual({ closed: false, endsAt: null })
      expect(await findStanding(sql, 'nobody', token.token)).toBeUndefined()
      expect(await setClosed(sql, 'nobody', 1)).toBe(false)
    })

    it('a new account of the same name gets no response that was kept for a removed one', async () => {
      const removed = await account(null)
      const hold = { account: removed, key: 'a'.repeat(64), holder: 'b'.repeat(16) }
      const answer = { fingerprint: 'c', answer: '{}', blob: `${removed}/answer`, size: 1, secret: 'd' }
      expect(await takeKey(sql, hold, { now: 1, until: 60, expiresAt: 2_000_000_000 })).toBe(true)
      expect(await keepAnswer(sql, hold, answer)).toBe(true)
      expect(await findKey(sql, hold)).toBeDefined()
      await removeAccount(sql, removed)
      await saveAccount(sql, { name: removed, monthlyCredits: null, createdAt: 6, closedAt: null })
      expect(await findKey(sql, hold)).toBeUndefined()
    })
  })
}
