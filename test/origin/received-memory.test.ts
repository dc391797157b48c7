import { describe, expect, test } from 'vitest'
import { ReceivedMemory } from '../../origin/received-memory.ts'

const megabyte = 1_048_576

describe('shared memory that a thread has received', () => {
  test('counts once, however often it is received', () => {
    const received = new ReceivedMemory()
    for (let time = 0; time < 1000; time++) received.add(1, new SharedArrayBuffer(megabyte))
    received.add(2, new SharedArrayBuffer(megabyte))
    expect(received.bytes).toBe(2 * megabyte)
  })
  test('counts while it is held, and no longer when it is collected', () => {
    const received = new ReceivedMemory()
    const held = Array.from({ length: 70 }, () => new SharedArrayBuffer(megabyte))
    for (const [id, buffer] of held.entries()) received.add(id, buffer)
    expect(received.bytes).toBe(70 * megabyte)
    received.check()
    expect(received.bytes).toBe(70 * megabyte)
  })
})
