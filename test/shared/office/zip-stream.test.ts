import { strFromU8, strToU8, unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../origin/codec.ts'
import { type ArchiveFile, zipStream } from '../../../shared/office/zip-stream.ts'

const time = Date.UTC(2026, 10, 21, 3, 30, 58)

async function* each(files: readonly ArchiveFile[], pulled: string[] = []): AsyncGenerator<ArchiveFile> {
  for (const file of files) {
    pulled.push(file.name)
    yield file
  }
}
const file = (name: string, text: string, compress = false): ArchiveFile => ({
  name,
  bytes: strToU8(text),
  compress,
})
const written = async (files: readonly ArchiveFile[]) =>
  new Uint8Array(await new Response(zipStream(each(files), nodeCodec, time)).arrayBuffer())

describe('an archive written while its files come', () => {
  it('opens again: stored and compressed, empty, any letters', async () => {
    const files = [
      file('a.txt', 'stored'),
      file('Müller 文.txt', 'x'.repeat(100_000), true),
      file('empty.txt', ''),
      file('empty too.txt', '', true),
    ]
    const bytes = await written(files)
    const found = unzipSync(bytes)
    expect(Object.keys(found)).toEqual(files.map(({ name }) => name))
    for (const { name, bytes: content } of files) expect(found[name]).toEqual(content)
    expect(bytes.length).toBeLessThan(2000)
  })

  it('without files it is an empty archive', async () => {
    expect(unzipSync(await written([]))).toEqual({})
  })

  it('carries the time, to two seconds', async () => {
    const view = new DataView((await written([file('a', '')])).buffer)
    const [clock, day] = [view.getUint16(10, true), view.getUint16(12, true)]
    expect([1980 + (day >> 9), (day >> 5) & 15, day & 31]).toEqual([2026, 11, 21])
    expect([clock >> 11, (clock >> 5) & 63, 2 * (clock & 31)]).toEqual([3, 30, 58])
  })

  it('asks for a file only when its reader wants more', async () => {
    const pulled: string[] = []
    const files = Array.from({ length: 50 }, (_, at) => file(String(at), 'x'))
    const reader = zipStream(each(files, pulled), nodeCodec, time).getReader()
    for (let reads = 0; reads < 4; reads++) await reader.read()
    expect(pulled.length).toBeLessThanOrEqual(3)
    await reader.cancel()
  })

  it('fails as its files fail', async () => {
    const broken = new Error('no more')
    const files = (async function* () {
      yield file('a', strFromU8(strToU8('x')))
      throw broken
    })()
    await expect(new Response(zipStream(files, nodeCodec, time)).arrayBuffer()).rejects.toBe(broken)
  })

  it('more files than 16 bits count have a ZIP64 record, which another reader follows', async () => {
    const count = 70_000
    const many = Array.from({ length: count }, (_, at) => file(String(at), at === count - 1 ? 'last' : ''))
    const bytes = await written(many)
    expect(new DataView(bytes.buffer).getUint16(bytes.length - 12, true)).toBe(0xffff)
    const found = unzipSync(bytes)
    expect([Object.keys(found).length, strFromU8(found[String(count - 1)]!)]).toEqual([count, 'last'])
  })

  it('offsets above 4 GB stand in 64 bits', async () => {
    const large = new Uint8Array(512 * 2 ** 20)
    const names = Array.from({ length: 9 }, (_, at) => `${at}.bin`)
    const files = each([...names.map((name) => ({ name, bytes: large, compress: false })), file('end', 'x')])
    let total = 0
    let last = new Uint8Array(0)
    for await (const chunk of zipStream(files, { crc32: () => 0 }, time)) {
      total += chunk.length
      if (chunk.length < 4096) last = new Uint8Array([...last, ...chunk])
    }
    const view = new DataView(last.buffer)
    const locator = last.length - 22 - 20
    const end = locator - 56
    const directory = Number(view.getBigUint64(end + 48, true))
    const size = Number(view.getBigUint64(end + 40, true))
    expect([
      view.getUint32(locator, true),
      view.getUint32(end, true),
      Number(view.getBigUint64(end + 32, true)),
    ]).toEqual([0x07064b50, 0x06064b50, 10])
    expect([directory + size + 56 + 20 + 22, Number(view.getBigUint64(locator + 8, true))]).toEqual([
      total,
      directory + size,
    ])
    // The entry of the last file: its offset is that of its local header, the last before the directory.
    const entry = end - (46 + 'end'.length + 12)
    expect([view.getUint32(entry, true), view.getUint32(entry + 42, true)]).toEqual([0x02014b50, 0xffffffff])
    expect(Number(view.getBigUint64(entry + 46 + 'end'.length + 4, true))).toBe(
      directory - (30 + 'end'.length + 1),
    )
  })
})
