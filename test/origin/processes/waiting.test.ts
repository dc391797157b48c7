import { describe, expect, it } from 'vitest'
import { createSlots } from '../../../origin/processes/waiting.ts'
import { AppError } from '../../../shared/errors/app-error.ts'

const never = new AbortController().signal
const codeOf = (running: Promise<unknown>) =>
  running.then(
    () => 'done',
    (error: { readonly code: string }) => error.code,
  )

describe('turns', () => {
  it('are given in order of arrival, also when a slot has just become free', async () => {
    const turns = createSlots(1, Date.now)
    const order: string[] = []
    const first = Promise.withResolvers<void>()
    const run = (name: string, until?: Promise<void>) =>
      turns.run({ title: 'Poppler', signal: never }, async () => {
        order.push(name)
        await until
      })
    const one = run('one', first.promise)
    const two = run('two')
    const three = run('three')
    expect(turns.waiting()).toBe(2)
    first.resolve()
    const four = one.then(() => run('four'))
    await Promise.all([one, two, three, four])
    expect(order).toEqual(['one', 'two', 'three', 'four'])
    expect(turns.waiting()).toBe(0)
  })

  it('let as many tasks work as there are slots', async () => {
    const turns = createSlots(3, Date.now)
    let working = 0
    let most = 0
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        turns.run({ title: 'Poppler', signal: never }, async () => {
          most = Math.max(most, ++working)
          await new Promise((resolve) => setTimeout(resolve, n % 3))
          working--
        }),
      ),
    )
    expect([most, working]).toEqual([3, 0])
  })

  it('that never come are distinguished from callers that abort', async () => {
    const turns = createSlots(1, Date.now)
    const end = Promise.withResolvers<void>()
    const one = turns.run({ title: 'Poppler', signal: never }, () => end.promise)
    const ending = (reason: AppError) => {
      const control = new AbortController()
      const waits = codeOf(turns.run({ title: 'Poppler', signal: control.signal }, async () => {}))
      control.abort(reason)
      return waits
    }
    expect(await ending(new AppError('api.render.timeout', { ms: 1 }))).toBe('convert.busy')
    expect(await ending(new AppError('api.aborted'))).toBe('api.aborted')
    expect(turns.waiting()).toBe(0)
    end.resolve()
    await one
    expect(await codeOf(turns.run({ title: 'Poppler', signal: never }, async () => {}))).toBe('done')
  })
})
