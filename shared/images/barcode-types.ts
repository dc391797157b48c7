/** The types of barcodes by name. Source: template language 22.2; the names are those of the BWIPP encoders. */
const names =
  'ean13 ean8 ean5 ean2 upca upce isbn ismn issn ' +
  'code128 gs1-128 ean14 sscc18 gs1-cc ' +
  'code39 code39ext code32 pzn code93 code93ext ' +
  'interleaved2of5 itf14 identcode leitcode code2of5 industrial2of5 iata2of5 matrix2of5 coop2of5 datalogic2of5 ' +
  'databaromni databarstacked databarstackedomni databartruncated databarlimited databarexpanded ' +
  'databarexpandedstacked gs1northamericancoupon ' +
  'onecode postnet planet royalmail auspost kix japanpost mailmark daft flattermarken ' +
  'pharmacode pharmacode2 code11 bc412 rationalizedCodabar msi plessey telepen telepennumeric posicode ' +
  'channelcode raw symbol ' +
  'pdf417 pdf417compact micropdf417 codablockf code16k code49 ' +
  'qrcode microqrcode rectangularmicroqrcode swissqrcode datamatrix datamatrixrectangular ' +
  'datamatrixrectangularextension azteccode azteccodecompact aztecrune maxicode codeone hanxin dotcode ultracode ' +
  'gs1datamatrix gs1datamatrixrectangular gs1qrcode gs1dotcode ' +
  'ean13composite ean8composite upcacomposite upcecomposite databaromnicomposite databarstackedcomposite ' +
  'databarstackedomnicomposite databartruncatedcomposite databarlimitedcomposite databarexpandedcomposite ' +
  'databarexpandedstackedcomposite gs1-128composite ' +
  'hibccode39 hibccode128 hibcdatamatrix hibcdatamatrixrectangular hibcpdf417 hibcmicropdf417 hibcqrcode ' +
  'hibccodablockf hibcazteccode'

export const barcodeTypes: readonly string[] = names.split(' ')

const byName = new Map(barcodeTypes.map((name) => [name.toLowerCase(), name]))

/** The name of a type in the encoders, given in any letter case. Returns undefined for unknown types. */
export const barcodeType = (name: string): string | undefined => byName.get(name.toLowerCase())
