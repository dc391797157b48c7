import { describe, expect, it } from 'vitest'
import { linesOf, withPatience } from '../../../../shared/render/batch/lines.ts'

const limits = (bytes: number) => ({
  maxBytes: () => bytes,
  tooLong: (line: number, max: number) => new Error(`line ${line} over ${max}`),
})
const streamOf = (chunks: readonly string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })
const read = async (chunks: readonly string[], bytes = 1000) => {
  const lines: string[] = []
  for await (const line of linesOf(streamOf(chunks), limits(bytes)))
    lines.push(new TextDecoder().decode(line))
  return lines
}

const cases: readonly [says: string, chunks: readonly string[], lines: readonly string[]][] = [
  ['lines of one chunk', ['{"a":1}\n{"a":2}\n'], ['{"a":1}', '{"a":2}']],
  ['a last line without an end', ['{"a":1}\n{"a":2}'], ['{"a":1}', '{"a":2}']],
  ['a line over several chunks', ['{"a', '":', '1}', '\n{}'], ['{"a":1}', '{}']],
  ['CRLF over two chunks, blanks, tabs', ['{}\r', '\n\t {"b":1} \r\n'], ['{}', '{"b":1}']],
  ['empty lines', ['\n\n{}\n \n\r\n{}\n\n'], ['{}', '{}']],
  ['a byte order mark', ['\ufeff{}\n{}'], ['{}', '{}']],
  ['nothing', [], []],
  ['only blanks', [' \n \r\n'], []],
]

describe('linesOf', () => {
  for (const [says, chunks, lines] of cases) it(says, async () => expect(await read(chunks)).toEqual(lines))

  it('reads the same lines byte by byte', async () => {
    const text = '{"a":"é€😀"}\r\n\n{"b":2}\n'
    const bytes = [...new TextEncoder().encode(text)].map((byte) => new Uint8Array([byte]))
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const next = bytes.shift()
        if (next === undefined) controller.close()
        else controller.enqueue(next)
      },
    })
    const lines: string[] = []
    for await (const line of linesOf(stream, limits(100))) lines.push(new TextDecoder().decode(line))
    expect(lines).toEqual(['{"a":"é€😀"}', '{"b":2}'])
  })

  it('refuses a line above the limit, also before its end has come', async () => {
    await expect(read(['{}\n12345', '6789'], 8)).rejects.toThrow('line 2 over 8')
    await expect(read(['123456789\n'], 8)).rejects.toThrow('line 1 over 8')
  })
})

describe('withPatience', () => {
  it('ends a source that takes too long for the next value, and not one that takes long for all of them', async () => {
    const source = async function* () {
      for (let value = 0; value < 4; value++) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        yield value
      }
      await new Promise(() => {})
    }
    const seen: number[] = []
    const patient = async () => {
      for await (const value of withPatience(source(), 1000, () => new Error('late'))) {
        seen.push(value)
        if (value === 3) break
      }
    }
    await patient()
    expect(seen).toEqual([0, 1, 2, 3])
    const never = withPatience(
      { [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<number>>(() => {}) }) },
      10,
      () => new Error('late'),
    )
    await expect(never.next()).rejects.toThrow('late')
  })
})
