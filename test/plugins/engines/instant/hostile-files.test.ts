/** Whole files that mean ill go through the engine as a request would: a PDF or a typed error, soon. */

import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { layoutToPdf } from '../../../../plugins/engines/instant/pipeline.ts'
import { createHyphenator } from '../../../../plugins/engines/instant/text/hyphenate.ts'
import { docxReader } from '../../../../plugins/formats/docx/reader/open.ts'
import { odtReader } from '../../../../plugins/formats/odt/reader/open.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import type { DocumentReader } from '../../../../shared/plugin/contract.ts'
import { defaultLimits } from '../../../../shared/template/limits.ts'
import { hostileOpen } from '../../../cases/hostile/open.ts'
import { hostileWord } from '../../../cases/hostile/word.ts'
import { openFile } from '../../../cases/reference/open.ts'
import { anchor, mixed, wordFile } from '../../../cases/reference/word.ts'
import { zipOf } from '../../../helpers/docx.ts'
import { shippedBook } from '../../../helpers/instant-fonts.ts'

const vowels = createHyphenator({ patterns: 'a1 e1 i1 o1 u1', leftMin: 2, rightMin: 2 })
const hyphenators = () => vowels

/** Longest time a document may take, with room for a busy machine. */
const patience = 15_000

function convert(bytes: Uint8Array, reader: DocumentReader): Uint8Array | AppError {
  try {
    const { value: document } = reader.read(bytes, { codec: nodeCodec, limits: defaultLimits })
    const fonts = shippedBook.forDocument()
    const deadline = Date.now() + patience
    return layoutToPdf({ document, fonts, hyphenators, codec: nodeCodec, deadline, now: Date.now }).pdf
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

function check(outcome: Uint8Array | AppError): void {
  if (outcome instanceof AppError) expect(outcome.code).not.toBe('convert.timeout')
  else expect(new TextDecoder('latin1').decode(outcome.subarray(0, 5))).toBe('%PDF-')
}

describe('docx', () => {
  for (const [name, sample] of Object.entries(hostileWord)) {
    test(name, async () => check(convert(await wordFile(sample), docxReader)), patience + 5000)
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
  for (const [name, spoil] of Object.entries(pictures)) {
    test(`a picture that ${name}`, async () => {
      const zip = await JSZip.loadAsync(await wordFile({ body: mixed(anchor({})) }))
      const entries: Record<string, Uint8Array> = {}
      for (const path of Object.keys(zip.files)) entries[path] = await zip.file(path)!.async('uint8array')
      entries['word/media/img1.png'] = spoil(Uint8Array.from(entries['word/media/img1.png']!))
      check(convert(await zipOf(entries), docxReader))
    })
  }
})

describe('odt', () => {
  for (const [name, sample] of Object.entries(hostileOpen)) {
    test(name, async () => check(convert(await openFile(sample), odtReader)), patience + 5000)
  }
})
