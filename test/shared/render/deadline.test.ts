import { expect, test } from 'vitest'
import { AppError } from '../../../shared/errors/app-error.ts'
import { withinDeadline } from '../../../shared/render/deadline.ts'

const services = { clock: { now: Date.now } }
const never = new AbortController().signal

test('what runs beside a part that failed ends with it', async () => {
  let beside: AbortSignal | undefined
  const failed = withinDeadline(services, never, 60_000, async ({ signal }) => {
    beside = signal
    throw new AppError('convert.unknown-format', { to: 'x' })
  })
  await expect(failed).rejects.toThrow()
  expect(beside?.aborted).toBe(true)
})

test('what is left of a result may still be read', async () => {
  const signal = await withinDeadline(services, never, 60_000, async (deadline) => deadline.signal)
  expect(signal.aborted).toBe(false)
})

test.each([
  ['the time is over', 20, never, 'api.render.failed'],
  ['the caller left', 60_000, AbortSignal.abort(), 'api.aborted'],
] as const)('%s, whatever the work says', async (_, ms, caller, code) => {
  const failed = withinDeadline(services, caller, ms, async ({ signal }) => {
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    throw new Error('anything')
  })
  await expect(failed).rejects.toMatchObject({ code })
})
