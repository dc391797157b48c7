import { env } from 'cloudflare:test'
import { afterEach, describe, expect, it, test } from 'vitest'
import { pureCodec } from '../../edge/codec.ts'
import { fontByName, openFonts } from '../../edge/fonts.ts'
import { createFontBook } from '../../plugins/engines/instant/fonts/font-book.ts'

describe('the name of a font file', () => {
  test.each([
    ['fonts/Inter.ttf', 'Inter', 400, false],
    ['fonts/Inter-Bold.otf', 'Inter', 700, false],
    ['fonts/OpenSans-BoldItalic.ttf', 'Open Sans', 700, true],
    ['fonts/Open Sans-SemiBold Italic.ttf', 'Open Sans', 700, true],
    ['fonts/Noto_Sans-Regular.TTF', 'Noto Sans', 400, false],
    ['fonts/Foo-Bar.ttf', 'Foo-Bar', 400, false],
  ])('%s', (key, family, weight, italic) => {
    expect(fontByName(key)).toMatchObject({ key, family, weight, italic })
  })
  test('other files are no fonts', () => {
    expect(fontByName('fonts/readme.txt')).toBeUndefined()
    expect(fontByName('fonts/deep/Inter.ttf')).toBeUndefined()
    expect(fontByName('self/abc')).toBeUndefined()
  })
})

describe('fonts of the bucket', () => {
  const asset = async (name: string): Promise<Uint8Array | undefined> => {
    const answer = await env.FONTS.fetch(`https://assets.invalid/${name}`)
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined
  }
  const open = () => openFonts({ bucket: env.BLOBS, asset, codec: pureCodec })
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
  it('need not be there', async () => {
    expect((await open()).entries.every(({ family }) => family.startsWith('Platen'))).toBe(true)
  })
})
