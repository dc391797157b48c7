import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../origin/codec.ts'
import { docxReader } from '../../../plugins/formats/docx/reader/open.ts'
import { derived } from '../../../shared/derived.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import { createPartCache } from '../../../shared/office/part-cache.ts'
import { openZip } from '../../../shared/office/zip.ts'
import { zipOf } from '../../helpers/docx.ts'
import { wordParts } from '../../helpers/laid-out.ts'

const part = (text: string, name = 'word/styles.xml') => {
  const content = new TextEncoder().encode(text)
  const stored = nodeCodec.deflateRaw(content)
  return { name, method: 8 as const, crc: nodeCodec.crc32(content), size: content.length, stored, content }
}
const throwing = (): never => {
  throw new Error('The part is unpacked again.')
}

describe('the cache of parts', () => {
  test('a part is kept from its second occurrence on', () => {
    const cache = createPartCache()
    const styles = part('<a/>')
    const first = cache.content(styles, () => styles.content.slice())
    const second = cache.content(styles, () => styles.content.slice())
    expect(second).toEqual(first)
    expect(second).not.toBe(first)
    expect(cache.content({ ...styles, name: 'other/name.rels' }, throwing)).toBe(second)
  })
  test('parts with the same checksum and size are not taken for each other', () => {
    const cache = createPartCache()
    const styles = part('<a/>')
    const other = { ...part('<b/>'), crc: styles.crc }
    for (let time = 0; time < 3; time++) cache.content(styles, () => styles.content)
    expect(cache.content(other, () => other.content)).toEqual(other.content)
    expect(cache.content(styles, () => styles.content)).toEqual(styles.content)
  })
  test.each([
    ['pictures', part('<a/>', 'word/media/a.png'), 16_000],
    ['parts that are stored', { ...part('<a/>'), method: 0 as const }, 16_000],
    ['parts that would fill the cache', part(`<a>${'b'.repeat(1000)}</a>`), 16_000],
  ])('%s are not kept', (_, entry, maxBytes) => {
    const cache = createPartCache(maxBytes)
    let unpacked = 0
    const unpack = () => {
      unpacked++
      return entry.content
    }
    for (let time = 0; time < 3; time++) cache.content(entry, unpack)
    expect(unpacked).toBe(3)
  })
  test('the least recently used part is dropped', () => {
    const cache = createPartCache(10_000)
    const parts = Array.from({ length: 20 }, (_, n) => part(`<a n="${n}">${'b'.repeat(200)}</a>`))
    for (const each of [...parts, ...parts]) cache.content(each, () => each.content)
    expect(cache.content(parts[19]!, throwing)).toEqual(parts[19]!.content)
    expect(() => cache.content(parts[0]!, throwing)).toThrow('unpacked again')
  })
  test('a package counts what it takes from the cache against its limit', async () => {
    const partCache = createPartCache()
    const bytes = await zipOf({ 'a.xml': part(`<a>${'b'.repeat(600)}</a>`).content })
    const limits = { ...defaultLimits, inflatedBytes: 1000 }
    const open = () => openZip(bytes, { codec: nodeCodec, limits, format: 'docx', partCache })
    for (let time = 0; time < 3; time++) {
      const { entries, read } = open()
      expect(read(entries[0]!)).toHaveLength(607)
      expect(() => read(entries[0]!)).toThrow()
    }
  })
})

test('results of a part are computed once for the same inputs', () => {
  const cache = createPartCache()
  const styles = part('<a/>')
  const read = () => cache.content(styles, () => styles.content.slice())
  const once = read()
  let computed = 0
  const compute = () => ({ number: ++computed })
  derived(once, 'kind', [], compute)
  derived(once, 'kind', [], compute)
  expect(computed).toBe(2)
  const [theme, otherTheme] = [{}, {}]
  const kept = derived(read(), 'kind', [theme], compute)
  expect(derived(read(), 'kind', [theme], compute)).toBe(kept)
  expect(derived(read(), 'other kind', [theme], compute)).not.toBe(kept)
  expect(derived(read(), 'kind', [otherTheme], compute)).not.toBe(kept)
})

describe('documents of one template', () => {
  const paragraph = (text: string, style = '') =>
    `<w:p><w:pPr>${style && `<w:pStyle w:val="${style}"/>`}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
  const style = (id: string, size: number) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/><w:rPr><w:sz w:val="${size}"/></w:rPr></w:style>`
  const link =
    '<Relationship Id="chunk" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/aFChunk" Target="c.docx"/></Relationships>'

  /** A document of the template, with an embedded document if there are `chunkStyles`. */
  async function documentOf(text: string, styles: string, chunkStyles?: string) {
    const body = paragraph(text, 'Known') + (chunkStyles === undefined ? '' : '<w:altChunk r:id="chunk"/>')
    const files = Object.fromEntries(wordParts({ body, styles }))
    const rels = 'word/_rels/document.xml.rels'
    if (chunkStyles === undefined) return zipOf(files)
    const inner = Object.fromEntries(wordParts({ body: paragraph('inner', 'New'), styles: chunkStyles }))
    const relationships = new TextDecoder().decode(files[rels]).replace('</Relationships>', link)
    return zipOf({
      ...files,
      [rels]: new TextEncoder().encode(relationships),
      'word/c.docx': await zipOf(inner),
    })
  }

  test('share their styles, and nothing that one of them adds', async () => {
    const partCache = createPartCache()
    const read = (bytes: Uint8Array) =>
      docxReader.read(bytes, { codec: nodeCodec, limits: defaultLimits, partCache }).value
    const plain = await documentOf('one', style('Known', 40))
    const withChunk = await documentOf('two', style('Known', 40), style('New', 60))
    for (let time = 0; time < 3; time++) {
      expect(read(withChunk).styles.styles.get('New')?.run.size).toBe(30)
      const document = read(plain)
      expect([...document.styles.styles.keys()]).toEqual(['Known'])
      expect(document.styles.styles.get('Known')?.run.size).toBe(20)
    }
    expect(read(plain).styles.styles.get('Known')).toBe(read(plain).styles.styles.get('Known'))
  })
})
