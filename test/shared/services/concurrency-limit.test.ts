import { expect, it } from 'vitest'
import { createConcurrencyLimit } from '../../../shared/services/concurrency-limit.ts'

it('runs the maximum at once, the others in their order, and goes on after a failure', async () => {
  const inTurn = createConcurrencyLimit(2)
  const began: number[] = []
  const ends: (() => void)[] = []
  const runs = Array.from({ length: 5 }, (_, at) =>
    inTurn(async () => {
      began.push(at)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (at === 1) throw new Error('lost')
      return at
    }).catch(String),
  )
  for (const expected of [2, 3, 4, 5, 5]) {
    await expect.poll(() => began.length).toBe(expected)
    ends.shift()!()
  }
  expect(await Promise.all(runs)).toEqual([0, 'Error: lost', 2, 3, 4])
  expect(began).toEqual([0, 1, 2, 3, 4])
  expect(await inTurn(async () => 'more')).toBe('more')
})
