import { execFileSync } from 'node:child_process'
import { describe, expect, it, test } from 'vitest'
import { ReceivedMemory } from '../../origin/received-memory.ts'
import { environment } from '../../origin/setup/run.mjs'

const megabyte = 1_048_576
const program = new URL('../helpers/merge-garbage.ts', import.meta.url).pathname

describe('shared memory that a thread has received', () => {
  test('counts once, however often it is received', () => {
    const received = new ReceivedMemory()
    for (let time = 0; time < 1000; time++) received.add(1, new SharedArrayBuffer(megabyte))
    received.add(2, new SharedArrayBuffer(megabyte))
    expect(received.bytes).toBe(2 * megabyte)
  })
  test('counts until garbage is collected, which is worth it above 64 MB', () => {
    const received = new ReceivedMemory()
    for (let id = 0; id < 64; id++) received.add(id, new SharedArrayBuffer(megabyte))
    expect([received.bytes, received.isWorthCollecting]).toEqual([64 * megabyte, false])
    received.add(64, new SharedArrayBuffer(1))
    expect(received.isWorthCollecting).toBe(true)
    received.reset()
    expect([received.bytes, received.isWorthCollecting]).toEqual([0, false])
  })
})

/** Measured: 20 to 90 MB. Threads that kept what they had received grew by 294 and 363 MB. */
const maxGrownMb = 150

it.each([
  [4_000, 60_000],
  [1_500, 200_000],
])('a busy thread frees %d templates of %d bytes that it has merged', (count, size) => {
  const { MALLOC_ARENA_MAX, MALLOC_TRIM_THRESHOLD_ } = environment()
  const env = { ...process.env, MALLOC_ARENA_MAX, MALLOC_TRIM_THRESHOLD_ }
  const printed = execFileSync(process.execPath, [program, String(count), String(size)], { env })
  const { grownMb, replaced } = JSON.parse(printed.toString())
  expect(replaced).toBe(0)
  expect(grownMb).toBeLessThan(maxGrownMb)
})
