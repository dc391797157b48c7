import { describe, expect, it } from 'vitest'
import { Eventually } from '../../shared/eventually.ts'

const never = new Promise<never>(() => undefined)

describe('a race against something that may never happen', () => {
  it('returns the result of the work, or its error', async () => {
    const end = new Eventually(never)
    expect(await end.race(Promise.resolve('work'))).toBe('work')
    await expect(end.race(Promise.reject(new Error('no')))).rejects.toThrow('no')
  })
  it('ends when it happens, now and whenever it has happened', async () => {
    let happen: (value: string) => void = () => undefined
    const end = new Eventually(new Promise<string>((resolve) => (happen = resolve)))
    const running = end.race(never)
    happen('over')
    expect(await running).toBe('over')
    expect(await end.race(never)).toBe('over')
    const failed = new Eventually(Promise.reject(new Error('crashed')))
    await expect(failed.race(never)).rejects.toThrow('crashed')
    await expect(failed.race(never)).rejects.toThrow('crashed')
  })
  it('keeps nothing of a work that is done', async () => {
    const end = new Eventually(never)
    const kept: WeakRef<object>[] = []
    for (let round = 0; round < 20; round++) {
      const made = new Uint8Array(1_000_000)
      kept.push(new WeakRef(made))
      await end.race(Promise.resolve(made))
    }
    const { setFlagsFromString } = await import('node:v8')
    const { runInNewContext } = await import('node:vm')
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    await new Promise((resolve) => setTimeout(resolve, 0))
    collect()
    expect(kept.filter((one) => one.deref() !== undefined).length).toBeLessThan(3)
    // Still of use, so that it was not collected itself.
    expect(await end.race(Promise.resolve(1))).toBe(1)
  })
})
