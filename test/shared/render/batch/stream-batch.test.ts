import { expect, it } from 'vitest'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { fromBytes } from '../../../../shared/plugin/byte-source.ts'
import type { FormatPlugin } from '../../../../shared/plugin/contract.ts'
import type { ByteSource } from '../../../../shared/plugin/values.ts'
import type { ItemOutcome } from '../../../../shared/render/batch/outcomes.ts'
import { streamBatch } from '../../../../shared/render/batch/stream-batch.ts'
import type { Services } from '../../../../shared/services/services.ts'

const services = {
  ids: { random: (length: number) => new Uint8Array(length) },
  log: { debug: () => {} },
} as unknown as Services
const format = { extensions: ['txt'], mime: ['text/plain'] } as unknown as FormatPlugin
const batch = { output: 'zip', onError: 'report' } as const

const sourceOf = (fails: boolean): ByteSource => ({
  ...fromBytes(new Uint8Array(3)),
  size: 3,
  stream: () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('abc'))
        if (fails) controller.error(new Error('gone'))
        else controller.close()
      },
    }),
})
const report = (index: number, fails = false): ItemOutcome => ({
  index,
  report: { source: sourceOf(fails), format, name: `n${index}`, names: {}, warnings: [] },
})

async function read(outcomes: () => AsyncGenerator<ItemOutcome, void, void>) {
  const { stream } = await streamBatch(services, batch, outcomes(), { kind: 'multipart' })
  let text = ''
  try {
    for await (const chunk of stream) text += new TextDecoder().decode(chunk)
  } catch (error) {
    return { text, error }
  }
  return { text }
}

it('a source of items that fails ends the message with a part of its own', async () => {
  const { text, error } = await read(async function* () {
    yield report(0)
    throw new AppError('api.batch.line', { line: 3, limit: 10 })
  })
  expect(error).toBe(undefined)
  expect(text).toContain('service-batch-end: failed')
  expect(text).toContain('Line 3 is larger than 10 bytes')
  expect(text.endsWith(`--batch-${'0'.repeat(32)}--\r\n`)).toBe(true)
})

it('a report whose bytes cannot be read aborts the message, since an error within it would look like content', async () => {
  const { text, error } = await read(async function* () {
    yield report(0)
    yield report(1, true)
    yield report(2)
  })
  expect(error).toMatchObject({ message: 'gone' })
  expect(text).not.toContain('service-batch-end')
  expect(text).not.toContain('--\r\n')
})
