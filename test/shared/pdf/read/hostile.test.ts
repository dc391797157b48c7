import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { pdfLimits } from '../../../../shared/pdf/model/limits.ts'
import { splitPdfOptions } from '../../../../shared/pdf/stage/options.ts'
import { applyPdfStage } from '../../../../shared/pdf/stage/stage.ts'
import { packedZeros } from '../../../helpers/packed-zeros.ts'
import { finishPdf, latin1, officePdf, pdfOf, stream, textOf } from '../../../helpers/pdf.ts'
import { processorTime } from '../../../helpers/processor-time.ts'

const catalog = '<</Type/Catalog/Pages 2 0 R>>'
const tree = '<</Type/Pages/Kids[3 0 R]/Count 1>>'
const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>'
const bomb = textOf(packedZeros(100 * 1024 * 1024))
const sealed = readFileSync(new URL('../../../fixtures/office/sealed.pdf', import.meta.url))

/** Ends in this code, and soon. */
async function check(file: Uint8Array, code: string | undefined, limits = pdfLimits): Promise<void> {
  const begun = process.cpuUsage()
  const outcome = await finishPdf(file, { Watermark: 'x' }, { limits }).catch((error: unknown) => error)
  expect(processorTime(begun)).toBeLessThan(5000)
  if (code === undefined) expect(outcome).toHaveProperty('value')
  else {
    expect(outcome).toBeInstanceOf(AppError)
    expect((outcome as AppError).code).toBe(code)
  }
}

describe('refused with a reason', () => {
  it.each<[string, Uint8Array, string]>([
    ['nothing', new Uint8Array(0), 'pdf.broken'],
    ['no PDF', latin1('PK\x03\x04 something else'), 'pdf.broken'],
    ['a header alone', latin1('%PDF-1.7\n'), 'pdf.broken'],
    ['no catalogue', pdfOf(['<</Type/Other>>']), 'pdf.broken'],
    ['no pages', pdfOf([catalog, '<</Type/Pages/Kids[]/Count 0>>']), 'pdf.broken'],
    ['a tree of itself', pdfOf([catalog, '<</Type/Pages/Kids[2 0 R 2 0 R]/Count 9>>']), 'pdf.broken'],
    ['a catalogue that refers to itself', pdfOf(['1 0 R']), 'pdf.broken'],
    ['deep arrays', pdfOf([catalog, tree, page, '['.repeat(200_000)]), 'pdf.too-large'],
    ['deep dictionaries', pdfOf([catalog, tree, page, '<</A '.repeat(200_000)]), 'pdf.too-large'],
    ['encrypted', sealed, 'pdf.encrypted'],
  ])('%s', (_, file, code) => check(file, code))

  it('encrypted with an empty password', async () => {
    const { value } = await finishPdf(officePdf('letter-tagged'), {
      RestrictPermissions: true,
      PermissionPassword: 'p',
    })
    await check(value, 'pdf.encrypted')
  })

  it('a page tree of a thousand levels', () => {
    const levels = Array.from(
      { length: 1000 },
      (_, level) => `<</Type/Pages/Kids[${level + 3} 0 R]/Count 1>>`,
    )
    return check(pdfOf([catalog, ...levels, '<</Type/Page>>']), 'pdf.too-large')
  })

  it('one object more than the limit', async () => {
    const length = pdfLimits.objects + 1
    const many = `%PDF-1.7\n${Array.from({ length }, (_, id) => `${id + 9} 0 obj 1 endobj`).join('\n')}`
    await check(latin1(many), 'pdf.too-large')
    const table = `%PDF-1.7\nxref\n0 ${length}\n${'0000000009 00000 n \n'.repeat(length)}trailer\n<<>>\nstartxref\n9\n`
    await check(latin1(table), 'pdf.too-large')
  })

  it('more objects, pages and levels than a side allows', async () => {
    const few = pdfOf([
      catalog,
      '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
      '<</Type/Page>>',
      '<</Type/Page>>',
    ])
    await check(few, undefined)
    for (const limit of [{ objects: 3 }, { pages: 1 }, { depth: 0 }]) {
      await check(few, 'pdf.too-large', { ...pdfLimits, ...limit })
    }
  })

  it('a bomb where objects should be', () => {
    const inside = stream(bomb, '/Type/ObjStm/N 1/First 4/Filter/FlateDecode')
    return check(latin1(`%PDF-1.7\n1 0 obj\n${inside}\nendobj\n`), 'pdf.too-large')
  })

  it('a bomb for a cross-reference', () => {
    const table = stream(bomb, '/Type/XRef/W[1 2 1]/Size 9/Filter/FlateDecode')
    return check(latin1(`%PDF-1.7\n1 0 obj\n${table}\nendobj\nstartxref\n9\n%%EOF`), 'pdf.too-large')
  })

  it('an archive that would no longer be one', async () => {
    const archive = officePdf('letter-archive')
    await check(archive, 'pdf.archive')
    const locked = finishPdf(archive, { EncryptFile: true, DocumentOpenPassword: 'x' })
    await expect(locked).rejects.toThrow('This PDF is a PDF/A file, and those may not be encrypted.')
    expect((await finishPdf(archive, { PageRange: '1' })).value.length).toBeGreaterThan(1000)
  })
})

describe('survived', () => {
  const simple = textOf(pdfOf([catalog, tree, page, stream('q')]))
  it.each<[string, Uint8Array]>([
    [
      'a cross-reference that follows itself',
      latin1(simple.replace('/Size 5', `/Size 5/Prev ${/startxref\n(\d+)/.exec(simple)![1]}`)),
    ],
    ['a bomb for a page', pdfOf([catalog, tree, page, stream(bomb, '/Filter/FlateDecode')])],
    [
      'a page that is not deflated though it says so',
      pdfOf([catalog, tree, page, stream('what', '/Filter/FlateDecode')]),
    ],
    [
      'a page met twice',
      pdfOf([catalog, '<</Type/Pages/Kids[3 0 R 3 0 R 2 0 R]/Count 1>>', page, stream('q')]),
    ],
    [
      'a box without size',
      pdfOf([catalog, tree, '<</Type/Page/MediaBox[5 5 5 5]/CropBox[1]/Rotate 45/UserUnit -1>>']),
    ],
    ['resources that are none', pdfOf([catalog, tree, '<</Type/Page/Resources 7/Contents 8/Annots 1>>'])],
    [
      'a length that is its own stream',
      pdfOf([catalog, tree, page, '<</Length 4 0 R>>\nstream\nq\nendstream']),
    ],
  ])('%s', (_, file) => check(file, undefined))

  it('every cut of an office file ends in a file or a reason', async () => {
    const whole = officePdf('letter-tagged')
    for (let part = 1; part < 24; part++) {
      const cut = whole.subarray(0, Math.floor((whole.length * part) / 24))
      const outcome = await finishPdf(cut, { Watermark: 'x' }).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError)
    }
  })

  it('bytes turned over anywhere end in a file or a reason', async () => {
    const whole = officePdf('page-orientation')
    let state = 7
    for (let round = 0; round < 60; round++) {
      const bent = whole.slice()
      for (let hit = 0; hit < 20; hit++) {
        state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
        bent[state % bent.length] = state >>> 16
      }
      const outcome = await finishPdf(bent, { Watermark: 'x' }).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError)
    }
  })

  it('a caller who leaves', async () => {
    const { stage } = splitPdfOptions({ Watermark: 'x' })
    const signal = AbortSignal.abort(new AppError('api.aborted'))
    const left = applyPdfStage(officePdf('letter-tagged'), stage!, {
      codec: nodeCodec,
      random: (n) => new Uint8Array(n),
      signal,
    })
    await expect(left).rejects.toMatchObject({ code: 'api.aborted' })
  })
})
