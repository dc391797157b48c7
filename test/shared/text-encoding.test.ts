/** Text that is not UTF-8, as spreadsheets of other countries write it. The bytes are those of Python's codecs. */
import { expect, it } from 'vitest'
import { readCsv } from '../../plugins/formats/csv/reader.ts'
import { decodeText, encodingOf } from '../../shared/text-encoding.ts'
import { mergeBytes } from '../helpers/merge.ts'

const texts: readonly (readonly [encoding: string, text: string, base64: string])[] = [
  [
    'shift_jis',
    '番号,商品名,価格\n1,りんごジュース,120円\n2,東京都港区の事務所用机,9800円\n',
    'lNSNhiyPpJVplrwsib+KaQoxLILogvGCsoNXg4WBW4NYLDEyMIl+CjIsk4yLnpNzjWCL5oLMjpaWsY+Kl3CK9yw5ODAwiX4K',
  ],
  [
    'euc-kr',
    '번호,이름,도시\n1,김철수,서울특별시\n2,이영희,부산광역시 해운대구\n',
    'ufjIoyzAzLinLLW1vcMKMSyx6MO2vPYsvK2/78avurC9wwoyLMDMv7XI8Sy6zrvqsaS/qr3DIMfYv+6067G4Cg==',
  ],
  [
    'gb18030',
    '编号,名称,价格\n1,苹果汁,十二元\n2,办公室用的桌子,九百八十元\n',
    'seC6xSzD+7PGLLzbuPEKMSzGu7n71q0syq62/tSqCjIssOy5q8rS08O1xNfA19MsvsWw2bDLyq7Uqgo=',
  ],
  [
    'big5',
    '編號,名稱,價格\n1,蘋果汁,十二元\n2,辦公室用的桌子,九百八十元\n',
    'vXO4uSymV7rZLLv5ruYKMSzEq6pHpcQspFGkR6S4CjIsv+ykvavHpc6quq7gpGwspEWmyqRLpFGkuAo=',
  ],
  [
    'euc-jp',
    '番号,商品名,価格\n1,りんごジュース,120円\n2,東京都港区の事務所用机,9800円\n',
    'yNa55iy+psnKzL4sssGzygoxLKTqpPOktKW4peWhvKW5LDEyMLHfCjIsxey1/sXUucG26KTOu/bMs73qzdG0+Sw5ODAwsd8K',
  ],
  [
    'windows-1251',
    'Номер,Название,Цена\n1,Яблочный сок,120\n',
    'ze7s5fAszeDn4uDt6OUs1uXt4AoxLN/h6+737fvpIPHu6iwxMjAK',
  ],
  [
    'windows-1252',
    'Nr;Name;Straße\n1;Müller;Königsallee\n2;Élodie Ångström;Ä\n',
    'TnI7TmFtZTtTdHJh32UKMTtN/GxsZXI7S/ZuaWdzYWxsZWUKMjvJbG9kaWUgxW5nc3Ry9m07xAo=',
  ],
  ['shift_jis', 'ﾘﾝｺﾞ,ﾊﾞﾅﾅ\n', '2N263izK3sXFCg=='],
  ['windows-1252', 'ÄÖ;Ü\nß;x\n', 'xNY73ArfO3gK'],
]

it.each(texts)('%s: %j', (encoding, text, base64) => {
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'))
  expect(encodingOf(bytes)).toBe(encoding)
  expect(decodeText(bytes)).toBe(text)
})

it.each(texts)(
  '%s is read alike by the reader of sheets, and by the compiler of templates',
  async (_encoding, text, base64) => {
    const bytes = new Uint8Array(Buffer.from(base64, 'base64'))
    const [first] = readCsv(bytes).value.sheets[0]?.rows[0]?.cells ?? []
    expect(first?.value).toBe(text.split(/[,;\t\n]/)[0])
    const template = new Uint8Array([...bytes, ...new TextEncoder().encode('{d.v}')])
    const { value } = await mergeBytes(template, 'txt', { v: 'é' })
    expect(new TextDecoder().decode(await value.document.arrayBuffer())).toBe(`${text}é`)
  },
)

it('UTF-8 stays UTF-8, and nothing is Windows-1252', () => {
  expect(decodeText(new TextEncoder().encode('番号,é'))).toBe('番号,é')
  expect(encodingOf(new Uint8Array())).toBe('windows-1252')
})
