import { describe, expect, it } from 'vitest'
import { createFairLine } from '../../shared/fair-line.ts'

/** Adds the items, each written as account, `~` for background, and number; returns the order they are taken in. */
function order(items: readonly string[], admits?: (account: string) => boolean): string {
  const line = createFairLine<string>()
  for (const item of items)
    line.add(item, { account: item[0] ?? '', ...(item[1] === '~' && { background: true }) })
  const taken: string[] = []
  for (let item = line.take(admits); item !== undefined; item = line.take(admits)) taken.push(item)
  return taken.join(' ')
}

describe('a fair line', () => {
  it.each([
    [['a1', 'a2', 'a3'], 'a1 a2 a3'],
    [['a1', 'a2', 'a3', 'b1', 'c1', 'c2'], 'a1 b1 c1 a2 c2 a3'],
    [['a~1', 'a~2', 'b1'], 'b1 a~1 a~2'],
    [['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'b~1', 'b~2'], 'a1 a2 a3 b~1 a4 a5 a6 b~2 a7'],
  ])('reads %j as %s', (items, expected) => expect(order(items)).toBe(expected))

  it('leaves the items of an account that is not admitted', () => {
    expect(order(['a1', 'b1', 'a2', 'b2'], (account) => account !== 'a')).toBe('b1 b2')
  })

  it('delays a new account by one item of each other one, however many they have', () => {
    const line = createFairLine<string>()
    for (let at = 0; at < 250; at++) line.add(`a${at}`, { account: 'a', background: true })
    line.take()
    line.add('b', { account: 'b', background: true })
    expect([line.take(), line.take()]).toContain('b')
  })

  it('counts and removes', () => {
    const line = createFairLine<string>()
    line.add('a1', { account: 'a' })
    line.add('a~', { account: 'a', background: true })
    line.add('b1', { account: 'b' })
    line.add('a0', { account: 'a' }, true)
    const counts = () => [
      line.count(),
      line.count({}),
      line.count({ background: true }),
      line.count({ account: 'a' }),
    ]
    expect(counts()).toEqual([4, 3, 1, 2])
    expect([line.remove('b1'), line.remove('b1'), line.items()]).toEqual([true, false, ['a0', 'a1', 'a~']])
    expect(counts()).toEqual([3, 2, 1, 2])
  })
})
