import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../origin/codec.ts'
import { odtReader } from '../../../plugins/formats/odt/reader/open.ts'
import type { Document } from '../../../shared/document/document.ts'
import { type MathNode, mathWords } from '../../../shared/document/math.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import { odtOf } from '../../helpers/docx.ts'
import { readWord } from '../../helpers/laid-out.ts'

function mathOf(document: Document): MathNode {
  for (const block of document.sections[0]!.blocks)
    if (block.kind === 'paragraph')
      for (const inline of block.inlines)
        if (inline.kind === 'drawing' && inline.drawing.content.kind === 'math')
          return inline.drawing.content.math
  throw new Error('no equation')
}

const omml = (content: string, around = (text: string) => text): Document =>
  readWord({
    body: `<w:p>${around(`<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${content}</m:oMath>`)}</w:p>`,
  })
const r = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`
const arg = (name: string, text: string): string => `<m:${name}>${text === '' ? '' : r(text)}</m:${name}>`

describe('OMML', () => {
  test.each<[string, string, string]>([
    ['fraction', `<m:f>${arg('num', 'a')}${arg('den', 'b+c')}</m:f>`, 'a/(b+c)'],
    ['power', `<m:sSup>${arg('e', 'x')}${arg('sup', '2')}</m:sSup>`, 'x^2'],
    ['index', `<m:sSub>${arg('e', 'x')}${arg('sub', 'i')}</m:sSub>`, 'x_i'],
    ['both', `<m:sSubSup>${arg('e', 'x')}${arg('sub', 'i')}${arg('sup', '2')}</m:sSubSup>`, 'x_i^2'],
    ['before', `<m:sPre>${arg('sub', '1')}${arg('sup', '2')}${arg('e', 'X')}</m:sPre>`, '_1^2X'],
    [
      'root',
      `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr>${arg('deg', '')}${arg('e', 'x')}</m:rad>`,
      '√x',
    ],
    ['cube root', `<m:rad>${arg('deg', '3')}${arg('e', 'xy')}</m:rad>`, '3√(xy)'],
    [
      'sum',
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>${arg('sub', 'i')}${arg('sup', 'n')}${arg('e', 'x')}</m:nary>`,
      '∑_i^n x',
    ],
    [
      'integral without limits',
      `<m:nary><m:naryPr><m:subHide m:val="1"/><m:supHide m:val="1"/></m:naryPr>${arg('sub', '')}${arg('sup', '')}${arg('e', 'x')}</m:nary>`,
      '∫ x',
    ],
    ['brackets', `<m:d>${arg('e', 'a')}${arg('e', 'b')}</m:d>`, '(a|b)'],
    [
      'one bracket',
      `<m:d><m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>${arg('e', 'a')}</m:d>`,
      '{a',
    ],
    [
      'matrix',
      `<m:m><m:mr>${arg('e', '1')}${arg('e', '2')}</m:mr><m:mr>${arg('e', '3')}</m:mr></m:m>`,
      '1 2; 3',
    ],
    ['equations', `<m:eqArr>${arg('e', 'a')}${arg('e', 'b')}</m:eqArr>`, 'a; b'],
    ['limit', `<m:limLow>${arg('e', 'lim')}${arg('lim', 'x')}</m:limLow>`, 'lim_x'],
    ['function', `<m:func>${arg('fName', 'sin')}${arg('e', 'x')}</m:func>`, 'sin\u2009x'],
    ['what nobody knows', `<m:unheard>${arg('e', 'x')}</m:unheard>`, 'x'],
  ])('%s', (_, content, words) => {
    expect(mathWords(mathOf(omml(content)))).toBe(words)
  })
  test('on a line of its own is centred, in text it is not', () => {
    const own = omml(
      r('x'),
      (math) =>
        `<m:oMathPara xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${math}</m:oMathPara>`,
    )
    const [block] = own.sections[0]!.blocks
    expect(block?.kind === 'paragraph' && block.properties.align).toBe('center')
    const [inText] = omml(r('x')).sections[0]!.blocks
    expect(inText?.kind === 'paragraph' && inText.properties.align).toBeUndefined()
  })
})

const ml = async (content: string): Promise<Document> => {
  const math = `<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><semantics><mrow>${content}</mrow><annotation encoding="StarMath 5.0">x</annotation></semantics></math>`
  const frame = `<text:p><draw:frame text:anchor-type="as-char" svg:width="2cm" svg:height="1cm" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame></text:p>`
  const bytes = await odtOf(frame, { 'Object 1/content.xml': math, 'ObjectReplacements/Object 1': 'VCLMTF' })
  const read = odtReader.read(bytes, { codec: nodeCodec, limits: defaultLimits })
  expect(read.warnings).toEqual([])
  return read.value
}

describe('MathML of ODF', () => {
  test.each<[string, string, string]>([
    ['fraction', '<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mi>c</mi></mrow></mfrac>', 'a/(b+c)'],
    ['root', '<mroot><mi>x</mi><mn>3</mn></mroot><msqrt><mi>y</mi><mi>z</mi></msqrt>', '3√x√(yz)'],
    [
      'sum over what follows it',
      '<munderover><mo stretchy="false">∑</mo><mi>i</mi><mi>n</mi></munderover><msup><mi>x</mi><mn>2</mn></msup>',
      '∑_i^n x^2',
    ],
    [
      'a sum and its body stay together within a row',
      '<mrow><munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>x</mi></mrow><mo>=</mo><mn>1</mn>',
      '∑_i^n x=1',
    ],
    [
      'brackets, one of them unseen',
      '<mrow><mo fence="true" form="prefix">{</mo><mrow><mi>a</mi></mrow><mo fence="true" form="postfix"></mo></mrow>',
      '{a',
    ],
    ['matrix', '<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>', '1 2'],
    ['hat', '<mover accent="true"><mi>y</mi><mo>^</mo></mover>', 'y^'],
    ['limit', '<munder><mi>lim</mi><mi>x</mi></munder>', 'lim_x'],
    [
      'scripts on both sides',
      '<mmultiscripts><mi>X</mi><mi>a</mi><none/><mprescripts/><mn>1</mn><mn>2</mn></mmultiscripts>',
      '_1^2X_a',
    ],
    ['fenced', '<mfenced open="[" close="]" separators=";"><mi>a</mi><mi>b</mi></mfenced>', '[a;b]'],
  ])('%s', async (_, content, words) => {
    expect(mathWords(mathOf(await ml(content)))).toBe(words)
  })
})
