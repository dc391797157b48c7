import { expect, it } from 'vitest'
import { defaultLimits } from '../../../../shared/limits.ts'
import { lexHtml } from '../../../../shared/template/scan/html.ts'
import { lexXml } from '../../../../shared/xml/scan.ts'

const texts = {
  XML: ['<a>b<c/><!--d--><![CDATA[e]]></a>', lexXml],
  HTML: ['<p>b<br><i>c</i></p>', lexHtml],
} as const

it.each(Object.entries(texts))('elements and texts of a part are counted: %s', (_, [text, lex]) => {
  const count = lex(text, 'body', defaultLimits).length
  expect(lex(text, 'body', { ...defaultLimits, markupItems: count })).toHaveLength(count)
  expect(() => lex(text, 'body', { ...defaultLimits, markupItems: count - 1 })).toThrow(
    `body has more than ${count - 1} elements and texts`,
  )
})
