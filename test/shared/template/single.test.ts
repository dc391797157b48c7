import { describe, expect, it } from 'vitest'
import { bytesOf } from '../../../shared/plugin/byte-source.ts'
import { openSingle } from '../../../shared/template/single.ts'
import { makeStatics } from '../../../shared/template/statics.ts'

const statics = makeStatics(['<p>', '</p>\n'], [true, true])

function writerOf(template: string) {
  const rules = { elements: {}, paragraphs: [], noise: [] }
  const bytes = new TextEncoder().encode(template)
  const output = openSingle(bytes, { format: 'html', syntax: 'html', rules }).begin()
  return { output, part: output.part('html', statics) }
}

describe('the output of a template that is a single text', () => {
  it('is what was written, across the borders of chunks and with characters of several bytes', async () => {
    const texts = ['', 'a', 'é€😀', 'x'.repeat(65_530), 'é€😀'.repeat(40_000), 'z'.repeat(300_000), 'end']
    const { output, part } = writerOf('\uFEFF')
    let expected = '\uFEFF'
    for (const text of texts) {
      part.static(0)
      part.text(text)
      part.static(1)
      expected += `<p>${text}</p>\n`
    }
    expect(part.size).toBe(new TextEncoder().encode(expected).length - 3)
    part.end()
    const bytes = await bytesOf(await output.finish())
    expect(new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes)).toBe(expected)
  })

  it('needs little more memory than its size, also where long and short texts take turns', () => {
    const { part } = writerOf('')
    const long = 'é'.repeat(75_000)
    const before = process.memoryUsage().arrayBuffers
    for (let times = 0; times < 100; times++) {
      part.text(long)
      part.text('\n')
    }
    const used = process.memoryUsage().arrayBuffers - before
    expect(part.size).toBe(100 * 150_001)
    expect(used).toBeLessThan(1.35 * part.size)
  })

  it('is refused above 512 MB', () => {
    const { part } = writerOf('')
    const long = 'x'.repeat(8_388_608)
    const write = () => {
      for (let times = 0; times < 66; times++) part.text(long)
    }
    expect(write).toThrow(expect.objectContaining({ code: 'template.output' }))
  })
})
