import { beforeAll, describe, expect, it } from 'vitest'
import type { Sql } from '../../shared/ports/sql.ts'
import {
  endToken,
  findAccount,
  findLostCharges,
  findStanding,
  listAccounts,
  listTokens,
  openCharge,
  removeAccount,
  saveAccount,
  saveToken,
  setAllowance,
  setClosed,
  settleCharge,
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
    /** Charges credits whose charge ends at the second 100. Returns whether the account had enough. */
    const take = (account: string, month: string, credits: number, id = `c${count++}`) =>
      openCharge(sql, { account, id, month, credits }, 100)

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
        expect([credits, await take(made, month, credits)]).toEqual([credits, taken])
      expect(await usedCredits(sql, made, month)).toBe(10)
      expect(await take(made, '2026-12', 10)).toBe(true)
      expect(await take(await account(3), month, 4)).toBe(false)
      expect(await take('nobody', month, 1)).toBe(false)
    })

    it('as many simultaneous calls succeed as there are credits', async () => {
      const made = await account(10)
      const taken = await Promise.all(Array.from({ length: 25 }, () => take(made, month, 1)))
      expect([taken.filter(Boolean).length, await usedCredits(sql, made, month)]).toEqual([10, 10])
    })

    it('a charge ends once, with some of its credits refunded', async () => {
      const made = await account(5)
      expect(await take(made, month, 5, 'one')).toBe(true)
      const charge = { account: made, id: 'one', month }
      const ends = [await settleCharge(sql, charge, 2), await settleCharge(sql, charge, 2)]
      expect([ends, await usedCredits(sql, made, month)]).toEqual([[true, false], 3])
      expect([await take(made, month, 2, 'two'), await take(made, month, 1, 'three')]).toEqual([true, false])
      expect(await settleCharge(sql, { ...charge, id: 'two' })).toBe(true)
      expect(await settleCharge(sql, { ...charge, id: 'three' }, 1)).toBe(false)
      expect(await usedCredits(sql, made, month)).toBe(5)
      // Of processes that end the same charge at once, one refunds it.
      const other = await account(9)
      expect(await take(other, month, 9, 'four')).toBe(true)
      const four = { account: other, id: 'four', month }
      const atOnce = await Promise.all([1, 2, 3, 4].map(() => settleCharge(sql, four, 3)))
      expect([atOnce.filter(Boolean).length, await usedCredits(sql, other, month)]).toEqual([1, 6])
    })

    it('a charge without an outcome is lost when its time is over, and only then', async () => {
      const made = await account(null)
      expect(await take(made, month, 4, 'open')).toBe(true)
      const lost = async (now: number) =>
        (await findLostCharges(sql, now, 1000)).filter(({ account }) => account === made)
      expect(await lost(99)).toEqual([])
      expect(await lost(100)).toEqual([{ account: made, id: 'open', month, credits: 4 }])
      expect(await settleCharge(sql, { account: made, id: 'open', month }, 4)).toBe(true)
      expect([await lost(100), await usedCredits(sql, made, month)]).toEqual([[], 0])
      expect(await take(made, month, 4, 'kept')).toBe(true)
      await removeAccount(sql, made)
      expect(await lost(100)).toEqual([])
    })

    it('a larger allowance applies at once; without one there is no limit', async () => {
      const made = await account(2)
      expect([await take(made, month, 2), await take(made, month, 1)]).toEqual([true, false])
      expect(await setAllowance(sql, made, null)).toBe(true)
      expect(await take(made, month, 5_000_000_000)).toBe(true)
      expect(await setAllowance(sql, made, 1)).toBe(true)
      expect(await take(made, month, 1)).toBe(false)
      expect(await setAllowance(sql, 'nobody', 1)).toBe(false)
      const row = (await listAccounts(sql, month)).find((each) => each.name === made)
      expect([row?.used, row?.monthlyCredits]).toEqual([5_000_000_002, 1])
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
