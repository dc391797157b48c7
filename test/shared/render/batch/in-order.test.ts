import { describe, expect, it } from 'vitest'
import { inOrder } from '../../../../shared/render/batch/in-order.ts'

const collect = async <T>(results: AsyncIterable<T>) => {
  const all: T[] = []
  for await (const result of results) all.push(result)
  return all
}

/** A promise with its `resolve`, and whether it has been requested. */
const gate = () => Promise.withResolvers<void>()

describe('inOrder', () => {
  it('yields results in the order of the items, however long each takes', async () => {
    const gates = [gate(), gate(), gate()]
    const results = collect(
      inOrder([0, 1, 2], 3, async (item) => {
        await gates[item]!.promise
        return item
      }),
    )
    for (const { resolve } of gates.toReversed()) resolve()
    expect(await results).toEqual([0, 1, 2])
  })

  it('runs so many calls at once and no more', async () => {
    let running = 0
    let most = 0
    const run = async (item: number) => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running--
      return item
    }
    await collect(
      inOrder(
        Array.from({ length: 20 }, (_, item) => item),
        4,
        run,
      ),
    )
    expect(most).toBe(4)
  })

  it('yields a result while the source has no further item yet', async () => {
    const more = gate()
    const source = async function* () {
      yield 'a'
      await more.promise
      yield 'b'
    }
    const results = inOrder(source(), 4, async (item) => item)
    expect((await results.next()).value).toBe('a')
    more.resolve()
    expect(await collect(results)).toEqual(['b'])
  })

  it('throws the error of the source after the results of the items before it', async () => {
    const source = async function* () {
      yield 1
      yield 2
      throw new Error('cut')
    }
    const seen: number[] = []
    const read = async () => {
      for await (const result of inOrder(source(), 8, async (item) => item)) seen.push(result)
    }
    await expect(read()).rejects.toThrow('cut')
    expect(seen).toEqual([1, 2])
  })

  it('starts nothing more and closes the source when the consumer stops', async () => {
    let closed = false
    const started: number[] = []
    const source = async function* () {
      try {
        for (let item = 0; ; item++) yield item
      } finally {
        closed = true
      }
    }
    for await (const result of inOrder(source(), 2, async (item) => {
      started.push(item)
      return item
    }))
      if (result === 1) break
    const count = started.length
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect([closed, started.length]).toEqual([true, count])
    expect(count).toBeLessThanOrEqual(4)
  })
})
