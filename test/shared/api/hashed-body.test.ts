import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashedBody } from '../../../shared/api/hashed-body.ts'

const codeOf = (running: Promise<unknown>) =>
  running.then(
    () => 'none',
    (error: { readonly code: string }) => error.code,
  )

function received(text: string, boundary: string | undefined, step = text.length, maxBytes = 1e9) {
  const bytes = new TextEncoder().encode(text)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += step) controller.enqueue(bytes.subarray(at, at + step))
      controller.close()
    },
  })
  const type = boundary === undefined ? 'application/json' : `multipart/form-data; boundary=${boundary}`
  const running = createHash('sha256')
  const hash = { update: (part: Uint8Array) => void running.update(part), hex: () => running.digest('hex') }
  return hashedBody({ body, headers: new Map([['content-type', type]]) }, hash, maxBytes)
}
const form = (boundary: string, file = 'Hi') =>
  `--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\n${file}\r\n--${boundary}--\r\n`

describe('the digest of a body', () => {
  it.each([1, 2, 3, 7, 64, 1_000])(
    'is the same with another boundary, in chunks of %i bytes',
    async (step) => {
      const whole = await received(form('a'), 'a').digest()
      expect(await received(form('a'), 'a', step).digest()).toBe(whole)
      expect(await received(form('another-boundary'), 'another-boundary', step).digest()).toBe(whole)
    },
  )

  it.each<[string, readonly [string, string], readonly [string, string]]>([
    ['another file', [form('b', 'x'), 'b'], [form('b', 'y'), 'b']],
    ['a boundary within a line', [form('b', 'x--b'), 'b'], [form('b', 'x'), 'b']],
    ['a boundary cut short', [form('bb', '\n--b'), 'bb'], [form('bb', '\n'), 'bb']],
  ])('differs for %s', async (_name, one, other) => {
    expect(await received(...one).digest()).not.toBe(await received(...other).digest())
  })

  it('of no form is that of its bytes, whether they are read before or not', async () => {
    const expected = createHash('sha256').update('{"a":1}').digest('hex')
    const body = received('{"a":1}', undefined, 3)
    expect(await new Response(body.stream).text()).toBe('{"a":1}')
    expect(await body.digest()).toBe(expected)
    expect(await received('{"a":1}', undefined).digest()).toBe(expected)
  })

  it('is not made of more bytes than any call may have', async () => {
    expect(await codeOf(received('x'.repeat(100), undefined, 10, 99).digest())).toBe('api.key.reused')
    expect(await codeOf(received('x'.repeat(99), undefined, 10, 99).digest())).toBe('none')
  })

  it('costs work that grows with the body and not with the boundary', async () => {
    const boundary = `${'-'.repeat(190)}x`
    for (const text of ['-'.repeat(8_000_000), `\n${'-'.repeat(191)}`.repeat(40_000)]) {
      const body = received(text, boundary, 65_536)
      const before = process.threadCpuUsage()
      await body.digest()
      const { user, system } = process.threadCpuUsage(before)
      expect((user + system) / 1_000, 'ms').toBeLessThan(1_500)
    }
  })
})
