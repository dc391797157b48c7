import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { type BarcodeOptions, drawBarcode, loadBarcodes } from '../../../shared/images/barcode.ts'
import { barcodeType, barcodeTypes } from '../../../shared/images/barcode-types.ts'
import { measureImage } from '../../../shared/images/measure.ts'
import { unlessMissing } from '../../helpers/programs.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

let folder = ''
beforeAll(async () => {
  await loadBarcodes()
  folder = temporaryFolder('platen-barcodes')
})

const gs1 = '(01)09521234543213(3103)000123'
const parcel =
  '[)>^03001^02996152382802^029840^029001^0291Z00004951^029UPSN^02906X610^029159^0291234567^0291/1^029^029Y^029634 ALPHA DR^029PITTSBURGH^029PA^029^004'
const bill =
  'SPC^CR^LF0200^CR^LF1^CR^LFCH5800791123000889012^CR^LFS^CR^LFRobert Schneider AG^CR^LFRue du Lac^CR^LF1268^CR^LF2501^CR^LFBiel^CR^LFCH^CR^LF^CR^LF^CR^LF^CR^LF^CR^LF^CR^LF^CR^LF199.95^CR^LFCHF^CR^LFK^CR^LFPia-Maria Rutschmann-Schnyder^CR^LFGrosse Marktgasse 28^CR^LF9400 Rorschach^CR^LF^CR^LF^CR^LFCH^CR^LFSCOR^CR^LFRF18539007547034^CR^LF^CR^LFEPD'

/** Every kind with a text it can hold and, where a reader for it is at hand, what the reader finds in the picture. */
const rows: readonly (readonly [type: string, text: string, found?: string])[] = [
  ['ean13', '9520123456788', 'EAN-13:9520123456788'],
  ['ean8', '95200002', 'EAN-8:95200002'],
  ['ean5', '90200'],
  ['ean2', '05'],
  ['upca', '012345000058', 'EAN-13:0012345000058'],
  ['upce', '01234558', 'EAN-13:0012345000058'],
  ['isbn', '978-1-56581-231-4', 'EAN-13:9781565812314'],
  ['ismn', '979-0-2605-3211-3', 'EAN-13:9790260532113'],
  ['issn', '0311-175X', 'EAN-13:9770311175001'],
  ['code128', 'Count01234567!', 'CODE-128:Count01234567!'],
  ['gs1-128', gs1, 'CODE-128:01095212345432133103000123'],
  ['ean14', '(01) 0 952 8765 43210 8', 'CODE-128:0109528765432108'],
  ['sscc18', '(00) 0 9528765 432101234 6', 'CODE-128:00095287654321012346'],
  ['gs1-cc', gs1],
  ['code39', 'THIS IS CODE 39', 'CODE-39:THIS IS CODE 39'],
  ['code39ext', 'Code39 Ext!', 'CODE-39:C+O+D+E39 E+X+T/A'],
  ['code32', '01234567', 'CODE-39:'],
  ['pzn', '123456', 'CODE-39:-1234562'],
  ['code93', 'THIS IS CODE 93', 'CODE-93:THIS IS CODE 93'],
  ['code93ext', 'Code93 Ext!', 'CODE-93:Code93 Ext!'],
  ['interleaved2of5', '2401234567', 'I2/5:2401234567'],
  ['itf14', '0 952 1234 54321 3', 'I2/5:09521234543213'],
  ['identcode', '563102430313', 'I2/5:563102430313'],
  ['leitcode', '21348075016401', 'I2/5:21348075016401'],
  ['code2of5', '01234567'],
  ['industrial2of5', '01234567'],
  ['iata2of5', '01234567'],
  ['matrix2of5', '01234567'],
  ['coop2of5', '01234567'],
  ['datalogic2of5', '01234567'],
  ['databaromni', '(01)09521234543213', 'DataBar:0109521234543213'],
  ['databarstacked', '(01)09521234543213'],
  ['databarstackedomni', '(01)24012345678905'],
  ['databartruncated', '(01)09521234543213', 'DataBar:0109521234543213'],
  ['databarlimited', '(01)09521234543213'],
  ['databarexpanded', gs1, 'DataBar-Exp:01095212345432133103000123'],
  ['databarexpandedstacked', gs1],
  ['gs1northamericancoupon', '(8110)106141416543213500110000310123196000'],
  ['onecode', '0123456709498765432101234567891'],
  ['postnet', '01234'],
  ['planet', '01234567890'],
  ['royalmail', 'LE28HS9Z'],
  ['auspost', '5956439111ABA 9'],
  ['kix', '1231FZ13XHS'],
  ['japanpost', '6540123789-A-K-Z'],
  ['mailmark', 'JGB 012100123412345678AB19XY1A 0             www.xyz.com'],
  ['daft', 'FATDAFTDAD'],
  ['flattermarken', '11099'],
  ['pharmacode', '117480'],
  ['pharmacode2', '117480'],
  ['code11', '0123456789'],
  ['bc412', 'BC412'],
  ['rationalizedCodabar', 'A0123456789B', 'Codabar:A0123456789B'],
  ['msi', '0123456789'],
  ['plessey', '01234ABCD'],
  ['telepen', 'ABCDEF'],
  ['telepennumeric', '01234567'],
  ['posicode', 'ABC123'],
  ['channelcode', '3493'],
  ['raw', '331132131313411122131311333213114131131221323'],
  ['symbol', 'fima'],
  ['pdf417', 'This is PDF417'],
  ['pdf417compact', 'This is compact PDF417'],
  ['micropdf417', 'MicroPDF417'],
  ['codablockf', 'CODABLOCK F 34567890123456789010040digit'],
  ['code16k', 'Abcd-1234567890-wxyZ'],
  ['code49', 'MULTIPLE ROWS IN CODE 49'],
  ['qrcode', 'https://example.org/a?b=c', 'QR-Code:https://example.org/a?b=c'],
  ['microqrcode', '1234'],
  ['rectangularmicroqrcode', '1234'],
  ['swissqrcode', bill],
  ['datamatrix', 'This is Data Matrix!'],
  ['datamatrixrectangular', '1234'],
  ['datamatrixrectangularextension', '1234'],
  ['azteccode', 'This is Aztec Code'],
  ['azteccodecompact', '1234'],
  ['aztecrune', '1'],
  ['maxicode', parcel],
  ['codeone', 'Code One'],
  ['hanxin', 'This is Han Xin'],
  ['dotcode', 'This is DotCode'],
  ['ultracode', 'Awesome colours!'],
  ['gs1datamatrix', gs1],
  ['gs1datamatrixrectangular', gs1],
  ['gs1qrcode', gs1, 'QR-Code:01095212345432133103000123'],
  ['gs1dotcode', gs1],
  ['ean13composite', '9520123456788|(99)1234-abcd', 'EAN-13:9520123456788'],
  ['ean8composite', '95200002|(21)A12345678', 'EAN-8:95200002'],
  ['upcacomposite', '012345000058|(99)1234-abcd', 'EAN-13:0012345000058'],
  ['upcecomposite', '01234558|(15)021231', 'EAN-13:0012345000058'],
  ['databaromnicomposite', '(01)09521234543213|(11)990102', 'DataBar:0109521234543213'],
  ['databarstackedcomposite', '(01)09521234543213|(17)010200'],
  ['databarstackedomnicomposite', '(01)03612345678904|(11)990102'],
  ['databartruncatedcomposite', '(01)09521234543213|(11)990102'],
  ['databarlimitedcomposite', '(01)09521234543213|(21)abcdefghijklmnopqrst'],
  ['databarexpandedcomposite', '(01)09521234543213(3103)001234|(91)1A2B3C4D5E'],
  ['databarexpandedstackedcomposite', '(01)09521234543213(10)ABCDEF|(21)12345678'],
  ['gs1-128composite', '(00)095287654321012346|(02)09521234543213(37)24(10)1234567ABCDEFG'],
  ['hibccode39', 'A999BJC5D6E71', 'CODE-39:+A999BJC5D6E71.'],
  ['hibccode128', 'A999BJC5D6E71', 'CODE-128:+A999BJC5D6E71.'],
  ['hibcdatamatrix', 'A999BJC5D6E71'],
  ['hibcdatamatrixrectangular', 'A999BJC5D6E71'],
  ['hibcpdf417', 'A999BJC5D6E71'],
  ['hibcmicropdf417', 'A999BJC5D6E71'],
  ['hibcqrcode', 'A999BJC5D6E71', 'QR-Code:+A999BJC5D6E71.'],
  ['hibccodablockf', 'A999BJC5D6E71'],
  ['hibcazteccode', 'A999BJC5D6E71'],
]

describe('every kind', () => {
  it('has a row', () => expect(rows.map(([type]) => type)).toEqual(barcodeTypes))

  it.each(rows.map(([type, text, found = '']) => [type, text, found] as const))(
    '%s',
    async (type, text, found) => {
      const barcode = drawBarcode(type, text, {})!
      const svg = barcode.svg()
      const png = barcode.png()
      const [vector, pixels] = [measureImage(svg)!, measureImage(png)!]
      expect([vector.kind, pixels.kind]).toEqual(['svg', 'png'])
      // Seven pixels a module and more, and the same ratio.
      expect(pixels.width / vector.width).toBeGreaterThanOrEqual(type === 'swissqrcode' ? 1 : 2.9)
      expect(Math.abs(pixels.width / pixels.height - vector.width / vector.height)).toBeLessThan(0.02)
      expect(barcode.png()).toEqual(png)
      if (found !== '') expect(await read(png)).toContain(found)
    },
  )
})

async function read(png: Uint8Array): Promise<string> {
  const file = join(folder, `${Math.random()}.png`)
  await writeFile(file, png)
  const { stdout } = await promisify(execFile)('zbarimg', ['--nodbus', '-q', file]).catch(
    (error: { stdout: string }) => unlessMissing(error),
  )
  return stdout
}

describe('options', () => {
  const sizeOf = (type: string, text: string, options: BarcodeOptions) => {
    const { width, height } = measureImage(drawBarcode(type, text, options)!.svg())!
    return [width, height]
  }
  const svgOf = (options: BarcodeOptions, type = 'code128') =>
    new TextDecoder().decode(drawBarcode(type, 'ABC', options)!.svg())

  it('scale, width and height', () => {
    const [width, height] = sizeOf('code128', 'ABC', { scale: '1' })
    const [four, high4] = sizeOf('code128', 'ABC', { scale: '4' })
    expect(four).toBe(width! * 4)
    expect(Math.abs(high4! - height! * 4)).toBeLessThan(4)
    expect(sizeOf('code128', 'ABC', { scale: '99' })[0]).toBe(width! * 10)
    const [wide, high] = sizeOf('code128', 'ABC', { scale: '1', width: '50.8', height: '25.4' })
    expect(Math.abs(wide! - 144)).toBeLessThan(3)
    expect(Math.abs(high! - 72)).toBeLessThan(3)
    expect(sizeOf('qrcode', 'ABC', { width: 'wide', height: '-1', scale: 'x' })).toEqual(
      sizeOf('qrcode', 'ABC', { height: '1' }),
    )
  })

  it('text: size and place', () => {
    const [, bare] = sizeOf('code128', 'ABC', {})
    const [, shown] = sizeOf('code128', 'ABC', { includetext: 'true' })
    const [, large] = sizeOf('code128', 'ABC', { includetext: 'true', textsize: '20' })
    expect(bare! < shown! && shown! < large!).toBe(true)
    const places = ['left', 'center', 'right', 'justify'].map((textxalign) =>
      svgOf({ includetext: 'TRUE', textxalign }),
    )
    expect(new Set(places).size).toBe(4)
    const heights = ['below', 'center', 'above'].map((textyalign) =>
      svgOf({ includetext: 'true', textyalign }),
    )
    expect(new Set(heights).size).toBe(3)
  })

  it('rotation', async () => {
    const [width, height] = sizeOf('code128', 'ABC', {})
    expect(sizeOf('code128', 'ABC', { rotate: 'r' })).toEqual([height, width])
    expect(sizeOf('code128', 'ABC', { rotate: 'L' })).toEqual([height, width])
    expect(sizeOf('code128', 'ABC', { rotate: 'I' })).toEqual([width, height])
    for (const rotate of ['N', 'R', 'I', 'L'])
      expect(await read(drawBarcode('code128', 'ABC', { rotate, includetext: 'true' })!.png())).toBe(
        'CODE-128:ABC\n',
      )
  })

  it('colours, those that are none left out', () => {
    const svg = svgOf({
      barcolor: '#aa0000',
      textcolor: '00BB00',
      backgroundcolor: '#eeeeff',
      includetext: 'true',
    })
    expect([...svg.matchAll(/fill="([^"]*)"/g)].map(([, color]) => color)).toEqual([
      '#eeeeff',
      '#aa0000',
      '#00bb00',
    ])
    expect(svgOf({ barcolor: 'red', backgroundcolor: 'rgb(0,0,0)' })).toBe(svgOf({}))
  })

  it('level of correction', () => {
    const sides = ['L', 'm', 'Q', 'H', 'X'].map(
      (eclevel) =>
        sizeOf('qrcode', 'https://example.org/some/longer/address/with/many/more/words/in/it', {
          eclevel,
        })[0]!,
    )
    expect(sides[0]! < sides[1]! && sides[1]! < sides[2]! && sides[2]! < sides[3]!).toBe(true)
    expect(sides[4]).toBe(sides[1])
    for (const eclevel of ['L', 'M', 'Q', 'H'])
      for (const type of ['microqrcode', 'rectangularmicroqrcode', 'hibcqrcode', 'azteccode', 'pdf417'])
        expect(drawBarcode(type, '12', { eclevel }), `${type} ${eclevel}`).toBeDefined()
  })
})

const unfit: readonly (readonly [type: string, text: string])[] = [
  ['qrcode', ''],
  ['ean13', '12'],
  ['ean13', 'letters'],
  ['upca', '012345000059'],
  ['gs1-128', 'no brackets'],
  ['nothing', '1'],
  ['code39', 'é'],
  ...['qrcode', 'dotcode', 'pdf417', 'code128', 'ean13', 'hanxin'].map(
    (type) => [type, 'x'.repeat(1_000_000)] as const,
  ),
]
it.each(unfit)('%s cannot hold %.20s', (type, text) => {
  expect(drawBarcode(type, text, {})).toBeUndefined()
})

it('names of kinds are known in any case', () => {
  expect([barcodeType('QRCode'), barcodeType('rationalizedcodabar'), barcodeType('toString')]).toEqual([
    'qrcode',
    'rationalizedCodabar',
    undefined,
  ])
})
