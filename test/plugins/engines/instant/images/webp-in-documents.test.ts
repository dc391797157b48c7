import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { loadWebpDecoder } from '../../../../../origin/webp.ts'
import instant from '../../../../../plugins/engines/instant/index.ts'
import docx from '../../../../../plugins/formats/docx/index.ts'
import { inline, wordFile } from '../../../../cases/reference/word.ts'
import { engineUnder } from '../../../../helpers/engines.ts'
import { testHost } from '../../../../helpers/host.ts'
import { inspect, shippedSource } from '../../../../helpers/instant-fonts.ts'

const red = sharp({ create: { width: 8, height: 6, channels: 3, background: '#ff0000' } })
const kinds = {
  'WebP with losses': () => red.clone().webp({ lossless: false }).toBuffer(),
  'WebP with losses and transparency': () =>
    red.clone().ensureAlpha(0.5).webp({ lossless: false }).toBuffer(),
  'lossless WebP': () => red.clone().webp({ lossless: true }).toBuffer(),
  'lossless WebP inside a drawing': async () => {
    const webp = (await red.clone().webp({ lossless: true }).toBuffer()).toString('base64')
    const image = `<image width="8" height="6" href="data:image/webp;base64,${webp}"/>`
    return new TextEncoder().encode(
      `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6">${image}</svg>`,
    )
  },
}
const damaged = async (): Promise<Uint8Array> => {
  const whole = await kinds['WebP with losses']()
  return whole.subarray(0, 40)
}

/** The kinds of picture in the PDF of a document with this one, and the codes of its warnings. */
async function drawn(bytes: Uint8Array, withProgram: boolean) {
  const host = { ...testHost([docx]), codec: nodeCodec, fonts: () => shippedSource }
  const { convert } = engineUnder(instant, withProgram ? { ...host, loadWebpDecoder } : host)
  const file = await wordFile({ body: `<w:p>${inline(80, 60)}</w:p>`, picture: bytes })
  const made = await convert(file, 'docx', 'pdf')
  const pictures = inspect(made.bytes, 'pdfimages', ['-list', '{}']).split('\n').slice(2)
  return {
    pictures: pictures.filter((line) => line !== '').length,
    warnings: made.warnings.map(({ code }) => code),
  }
}

const reported = /^image\.(damaged|unsupported)$/

describe.each(Object.entries(kinds))('%s', (_, make) => {
  test('is drawn where a program reads it', async () => {
    const { pictures, warnings } = await drawn(await make(), true)
    expect(pictures).toBeGreaterThan(0)
    expect(warnings).toEqual([])
  })
  test('is reported where none does', async () => {
    const { pictures, warnings } = await drawn(await make(), false)
    expect(pictures).toBe(0)
    expect(warnings).toEqual([expect.stringMatching(reported)])
  })
})

test('a damaged one is reported, not thrown', async () => {
  expect((await drawn(await damaged(), true)).warnings).toEqual([expect.stringMatching(reported)])
})
