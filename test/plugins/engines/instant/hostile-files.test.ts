/** Whole files that mean ill go through the engine as a request would: a PDF or a typed error, soon. */

import { readFileSync } from 'node:fs'
import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { paintDocument } from '../../../../plugins/engines/instant/pipeline.ts'
import { createHyphenator } from '../../../../plugins/engines/instant/text/hyphenate.ts'
import { docxReader } from '../../../../plugins/formats/docx/reader/open.ts'
import { odtReader } from '../../../../plugins/formats/odt/reader/open.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { defaultLimits } from '../../../../shared/limits.ts'
import type { DocumentReader } from '../../../../shared/plugin/contract.ts'
import { hostileOpen } from '../../../cases/hostile/open.ts'
import { hostileWord } from '../../../cases/hostile/word.ts'
import { openFile, par as openPar, picture as openPicture } from '../../../cases/reference/open.ts'
import { anchor, mixed, wordFile } from '../../../cases/reference/word.ts'
import { zipOf } from '../../../helpers/docx.ts'
import { shippedBook } from '../../../helpers/instant-fonts.ts'

const vowels = createHyphenator({ patterns: 'a1 e1 i1 o1 u1', leftMin: 2, rightMin: 2 })
const hyphenators = () => vowels

/** The CPU time that a document may take, in ms. The machine may be busy, so it is not time of the clock. */
const maxWorkMs = 15_000
const workMs = () => process.threadCpuUsage().user / 1000

function convert(bytes: Uint8Array, reader: DocumentReader): Uint8Array | AppError {
  try {
    const { value: document } = reader.read(bytes, { codec: nodeCodec, limits: defaultLimits })
    const embedded = document.fonts ?? []
    const fonts = shippedBook.forDocument({ embedded })
    const deadline = workMs() + maxWorkMs
    return paintDocument({ document, fonts, hyphenators, codec: nodeCodec, deadline, now: workMs }).files[0]!
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

function check(outcome: Uint8Array | AppError): void {
  if (outcome instanceof AppError) expect(outcome.code).not.toBe('convert.timeout')
  else expect(new TextDecoder('latin1').decode(outcome.subarray(0, 5))).toBe('%PDF-')
}

const pictures: Readonly<Record<string, (png: Uint8Array) => Uint8Array>> = {
  'says it is a million pixels wide': (png) => {
    const bytes = png.slice()
    new DataView(bytes.buffer).setUint32(16, 1_000_000)
    return bytes
  },
  'says it is nothing wide': (png) => {
    const bytes = png.slice()
    new DataView(bytes.buffer).setUint32(16, 0)
    return bytes
  },
  'ends early': (png) => png.subarray(0, 50),
  'is empty': () => new Uint8Array(),
  'is something else': () => new TextEncoder().encode('%!PS-Adobe-3.0 EPSF-3.0'),
  'has a body of noise': (png) => png.map((byte, index) => (index > 40 ? (byte * 7 + index) & 255 : byte)),
}

/** Fonts that a document brings with it. */
const fonts: Readonly<Record<string, () => Uint8Array>> = {
  'is empty': () => new Uint8Array(),
  'is text': () => new TextEncoder().encode('no font at all'),
  'ends early': () => sound().subarray(0, 3000),
  'lies about every table': () => {
    const bytes = Uint8Array.from(sound())
    const view = new DataView(bytes.buffer)
    for (let table = 0; table < view.getUint16(4); table++) view.setUint32(12 + 16 * table + 12, 0xffff_fff0)
    return bytes
  },
  'is noise behind its head': () =>
    sound().map((byte, index) => (index > 500 ? (byte * 31 + index) & 255 : byte)),
}
const sound = () => Uint8Array.from(readFileSync('test/fixtures/fonts/cantarell-few.otf'))

async function partsOf(file: Uint8Array): Promise<Record<string, Uint8Array>> {
  const zip = await JSZip.loadAsync(file)
  const parts: Record<string, Uint8Array> = {}
  for (const path of Object.keys(zip.files)) parts[path] = await zip.file(path)!.async('uint8array')
  return parts
}
const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

describe('docx', () => {
  for (const [name, sample] of Object.entries(hostileWord)) {
    test(name, async () => check(convert(await wordFile(sample), docxReader)))
  }

  for (const [name, spoil] of Object.entries(pictures)) {
    test(`a picture that ${name}`, async () => {
      const entries = await partsOf(await wordFile({ body: mixed(anchor({})) }))
      entries['word/media/img1.png'] = spoil(Uint8Array.from(entries['word/media/img1.png']!))
      check(convert(await zipOf(entries), docxReader))
    })
  }

  for (const [name, font] of Object.entries(fonts)) {
    test(`a font that ${name}`, async () => {
      const parts = await partsOf(
        await wordFile({
          body: '<w:p><w:r><w:rPr><w:rFonts w:ascii="Cantarell"/></w:rPr><w:t>text</w:t></w:r></w:p>',
        }),
      )
      const rels = 'word/_rels/document.xml.rels'
      const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
      parts[rels] = encode(
        decode(parts[rels]).replace(
          '</Relationships>',
          `<Relationship Id="ft" Type="${type}/fontTable" Target="fontTable.xml"/></Relationships>`,
        ),
      )
      parts['word/fontTable.xml'] = encode(
        `<w:fonts xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${type}"><w:font w:name="Cantarell"><w:embedRegular r:id="f1"/></w:font></w:fonts>`,
      )
      parts['word/_rels/fontTable.xml.rels'] = encode(
        `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="f1" Type="${type}/font" Target="fonts/font1.ttf"/></Relationships>`,
      )
      parts['word/fonts/font1.ttf'] = font()
      const { value } = docxReader.read(await zipOf(parts), { codec: nodeCodec, limits: defaultLimits })
      expect(value.fonts).toHaveLength(1)
      check(convert(await zipOf(parts), docxReader))
    })
  }
})

describe('odt', () => {
  for (const [name, spoil] of Object.entries(pictures)) {
    test(`a picture that ${name}`, async () => {
      const parts = await partsOf(await openFile({ body: openPar(openPicture('as-char')) }))
      parts['Pictures/img1.png'] = spoil(Uint8Array.from(parts['Pictures/img1.png']!))
      check(convert(await zipOf(parts), odtReader))
    })
  }
  for (const [name, font] of Object.entries(fonts)) {
    test(`a font that ${name}`, async () => {
      const parts = await partsOf(await openFile({ body: openPar('text') }))
      const face =
        '<office:font-face-decls><style:font-face style:name="A" svg:font-family="Cantarell"><svg:font-face-src><svg:font-face-uri xlink:href="Fonts/a.ttf"/></svg:font-face-src></style:font-face></office:font-face-decls><office:automatic-styles>'
      parts['content.xml'] = encode(decode(parts['content.xml']).replace('<office:automatic-styles>', face))
      parts['Fonts/a.ttf'] = font()
      const { value } = odtReader.read(await zipOf(parts), { codec: nodeCodec, limits: defaultLimits })
      expect(value.fonts).toHaveLength(1)
      check(convert(await zipOf(parts), odtReader))
    })
  }
  for (const [name, sample] of Object.entries(hostileOpen)) {
    test(name, async () => check(convert(await openFile(sample), odtReader)))
  }
})
