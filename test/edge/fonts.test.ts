import { env } from 'cloudflare:test'
import { afterEach, describe, expect, it, test } from 'vitest'
import { pureCodec } from '../../edge/codec.ts'
import { fontsByName, openFontsNow } from '../../edge/fonts.ts'
import { bucketIndexKey, writeBucketIndex } from '../../plugins/engines/instant/fonts/bucket-index.ts'
import { createFontBook } from '../../plugins/engines/instant/fonts/font-book.ts'
import { recordFace } from '../../plugins/engines/instant/fonts/record-face.ts'
import { describeBytes } from '../../plugins/engines/instant/fonts/sfnt/describe.ts'
import { shape } from '../../plugins/engines/instant/text/shape.ts'
import arabic from '../fixtures/fonts/dejavu-arabic-few.ttf?inline'
import variable from '../fixtures/fonts/inter-variable-few.ttf?inline'
import cjk from '../fixtures/fonts/noto-cjk-few.otf?inline'

describe('the name of a font file', () => {
  test.each([
    ['fonts/Inter.ttf', 'Inter', 400, false],
    ['fonts/Inter-Bold.otf', 'Inter', 700, false],
    ['fonts/Inter-Bold.woff', 'Inter', 700, false],
    ['fonts/OpenSans-BoldItalic.ttf', 'Open Sans', 700, true],
    ['fonts/Open Sans-SemiBold Italic.ttf', 'Open Sans', 700, true],
    ['fonts/Noto_Sans-Regular.TTF', 'Noto Sans', 400, false],
    ['fonts/Foo-Bar.ttf', 'Foo-Bar', 400, false],
  ])('%s', (key, family, weight, italic) => {
    expect(fontsByName(key)).toEqual([expect.objectContaining({ key, family, weight, italic })])
  })
  test.each([
    ['fonts/Inter[wght].ttf', 'Inter', false],
    ['fonts/OpenSans-Italic[wdth,wght].ttf', 'Open Sans', true],
    ['fonts/Inter-Italic-VariableFont_opsz,wght.ttf', 'Inter', true],
  ])('%s is a regular and a bold face', (key, family, italic) => {
    expect(fontsByName(key)).toEqual(
      [400, 700].map((weight) =>
        expect.objectContaining({ family, italic, weight, place: [{ axis: 'wght', value: weight }] }),
      ),
    )
  })
  test('other files are no fonts', () => {
    expect(fontsByName('fonts/readme.txt')).toEqual([])
    expect(fontsByName('fonts/deep/Inter.ttf')).toEqual([])
    expect(fontsByName('self/abc')).toEqual([])
  })
})

/** Of a data address. */
const bytesOf = (address: string) =>
  Uint8Array.from(atob(address.slice(address.indexOf(',') + 1)), (letter) => letter.charCodeAt(0))

describe('fonts of the bucket', () => {
  const asset = async (name: string): Promise<Uint8Array | undefined> => {
    const answer = await env.FONTS.fetch(`https://assets.invalid/${name}`)
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined
  }
  const open = async () => (await openFontsNow({ bucket: env.BLOBS, asset, codec: pureCodec }))()
  const key = 'fonts/House Style.ttf'
  afterEach(() => env.BLOBS.delete(key))

  it('set the text that names them, before those that ship', async () => {
    const serif = pureCodec.inflateRaw((await asset('fonts/platen-serif-regular.bin'))!, 1_000_000)
    await env.BLOBS.put(key, serif)
    const document = createFontBook(await open()).forDocument()
    await document.prepare([
      { family: 'House Style', bold: false, italic: false },
      { family: 'Arial', bold: false, italic: false },
    ])
    expect(document.face('House Style', false, false).family).toBe('Platen Serif')
    expect(document.face('Arial', false, false).family).toBe('Platen Sans')
  })
  it('that are no fonts are replaced', async () => {
    await env.BLOBS.put(key, new Uint8Array(100))
    const document = createFontBook(await open()).forDocument()
    await document.prepare([{ family: 'House Style', bold: false, italic: false, text: 'a' }])
    expect(document.face('House Style', false, false).family).toBe('Platen Sans')
  })
  it('stand in for characters that those that ship lack, joined as the script demands', async () => {
    await env.BLOBS.put(key, bytesOf(arabic))
    const text = 'سلام'
    const document = createFontBook(await open()).forDocument()
    await document.prepare([{ family: 'Arial', bold: false, italic: false, text }])
    const [run] = document.runs(text, document.face('Arial', false, false))
    expect(run!.face.family).toBe('DejaVu Sans')
    const joined = Array.from(shape(text, { face: run!.face, size: 12, rtl: true }).glyphs)
    const alone = [...text].flatMap((letter) =>
      Array.from(shape(letter, { face: run!.face, size: 12, rtl: true }).glyphs),
    )
    expect(joined.filter((glyph) => alone.includes(glyph)).length).toBeLessThan(alone.length - 1)
  })
  it('that are variable have a bold of their own', async () => {
    const named = 'fonts/Inter[wght].ttf'
    await env.BLOBS.put(named, bytesOf(variable))
    const document = createFontBook(await open()).forDocument()
    await document.prepare([true, false].map((bold) => ({ family: 'Inter', bold, italic: false })))
    const bold = document.face('Inter', true, false)
    expect([bold.family, bold.file.style.weight, bold.synthetic.bold]).toEqual(['Inter', 700, false])
    await env.BLOBS.delete(named)
  })
  it('are found and lost while the Worker runs', async () => {
    let now = 0
    const works: Promise<void>[] = []
    const fonts = await openFontsNow(
      { bucket: env.BLOBS, asset, codec: pureCodec },
      { now: () => now, runLater: (work) => works.push(work) },
    )
    const has = () => fonts().entries.some(({ family }) => family === 'House Style')
    const before = fonts()
    await env.BLOBS.put(key, new Uint8Array(100))
    expect(has()).toBe(false)
    now += 60_000
    expect(fonts()).toBe(before) // asked behind the document's back
    await Promise.all(works)
    expect(has()).toBe(true)
    await env.BLOBS.delete(key)
    now += 60_000
    fonts()
    await Promise.all(works)
    expect(has()).toBe(false)
  })
  it('that an index lists are fetched for the characters that it names, and no others', async () => {
    const files = ['Slice 1', 'Slice 2'].map((name, part) => {
      const bytes = bytesOf(part === 0 ? arabic : cjk)
      const readAt = (offset: number, length: number) => bytes.subarray(offset, offset + length)
      const file = `fonts/${name}.otf`
      const record = recordFace(readAt, bytes.byteLength, 0)
      const entries = describeBytes(file, bytes).map((entry) => ({ ...entry, record }))
      return { key: file, digest: '', entries, bytes }
    })
    for (const file of files) await env.BLOBS.put(file.key, file.bytes)
    await env.BLOBS.put(bucketIndexKey, writeBucketIndex(files.map(({ bytes, ...file }) => file)))
    const fetched: string[] = []
    const bucket = new Proxy(env.BLOBS, {
      get: (target, name) => {
        if (name === 'get')
          return (...args: Parameters<R2Bucket['get']>) => {
            fetched.push(args[0])
            return target.get(...args)
          }
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const fonts = (await openFontsNow({ bucket, asset, codec: pureCodec }))()
    const document = createFontBook(fonts).forDocument()
    const text = '日'
    await document.prepare([{ family: 'Arial', bold: false, italic: false, text, languages: ['ja'] }])
    const [run] = document.runs(text, document.face('Arial', false, false), 'ja')
    expect(run?.face.file.characters.has(text.codePointAt(0) ?? 0)).toBe(true)
    expect(document.report().missing).toEqual([])
    expect(fetched).toEqual([bucketIndexKey, 'fonts/Slice 2.otf'])
    // A damaged index is as good as none: files are found by their names.
    await env.BLOBS.put(bucketIndexKey, '{"version":1,"files":[null,{"key":5}]')
    expect((await open()).entries.map(({ family }) => family)).toContain('Slice 2')
    for (const one of [bucketIndexKey, ...files.map((file) => file.key)]) await env.BLOBS.delete(one)
  })
  it('are optional', async () => {
    expect((await open()).entries.every(({ family }) => family.startsWith('Platen'))).toBe(true)
  })
})
