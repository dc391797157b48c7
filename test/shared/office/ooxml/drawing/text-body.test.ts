import { expect, test } from 'vitest'
import { readBody } from '../../../../../shared/office/ooxml/drawing/text-body.ts'
import { wordVocabulary } from '../../../../../shared/office/ooxml/vocabulary.ts'
import { XmlCursor } from '../../../../../shared/xml/cursor.ts'

const namespaces =
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'

test.each([
  ['', false],
  ['<a:noAutofit/>', false],
  ['<a:spAutoFit/>', true],
  ['<a:prstTxWarp prst="textNoShape"><a:avLst/></a:prstTxWarp><a:noAutofit/>', false],
])('the attributes of a text body count beside its children %s', (children, grows) => {
  const cursor = new XmlCursor(
    `<wps:bodyPr ${namespaces} lIns="0" tIns="12700" rIns="0" bIns="25400" anchor="b" wrap="none">${children}</wps:bodyPr>`,
    wordVocabulary,
  )
  cursor.root()
  expect(readBody(cursor)).toMatchObject({
    insets: { left: 0, top: 1, right: 0, bottom: 2 },
    align: 'bottom',
    wraps: false,
    grows,
  })
})
