/** The figures for missing text must themselves see what is missing, and nothing else. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openFile, par } from '../cases/reference/open.ts'
import { wordFile } from '../cases/reference/word.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { findWords, hasAllLetters, textOf } from './completeness.ts'
import { createConverter } from './engine.ts'
import { sourceWords } from './source-text.ts'

const folder = temporaryFolder('completeness')
const convert = createConverter(folder)

const word = async (body: string) => written('docx', await wordFile({ body }))
const open = async (body: string) => written('odt', await openFile({ body }))
function written(kind: string, bytes: Uint8Array): string {
  const path = join(folder, `sample.${kind}`)
  writeFileSync(path, bytes)
  return path
}
const p = (content: string) => `<w:p>${content}</w:p>`
const r = (text: string, look = '') =>
  `<w:r><w:rPr>${look}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`

describe('text without white space', () => {
  for (const [name, words, text, missing] of [
    ['order does not matter', 'one two three', 'three one two', ''],
    ['letters far apart are one word', 'ACADEMY of', 'A C A D E M Y o f', ''],
    ['a removed word', 'pay by bank transfer today', 'pay by bank today', 'TRANSFER'],
    ['one of three', 'net net net', 'net net', 'NET'],
    ['a short word does not hide in a longer one', 'a banana', 'banana', 'A'],
    ['a removed letter', 'invoices', 'invoice', 'INVOICES'],
    ['a removed paragraph', 'first line second line', 'first line', 'SECOND LINE'],
    ['a word a page ended in', 'hyphenation ends', 'hyphen- ends 7 ation', ''],
    ['small capitals and ligatures', 'Office straße', 'OFﬁCE STRASSE', ''],
    ['bullets and marks of direction', '• item', '\u200e item', ''],
    ['nothing is found in nothing', 'text', '', 'TEXT'],
  ] as const) {
    test(name, () => expect(findWords(words.split(' '), text).missing.join(' ')).toBe(missing))
  }
})

describe('words of a document', () => {
  for (const [name, file, expected] of [
    ['runs of one word', () => word(p(r('In') + r('voice', '<w:b/>') + r(' 7'))), 'Invoice 7'],
    [
      'hidden and deleted text',
      () =>
        word(
          p(`${r('seen ')}${r('hidden', '<w:vanish/>')}${r('shown', '<w:vanish w:val="0"/>')}`) +
            p(`<w:del w:id="1" w:author="a"><w:r><w:delText>gone</w:delText></w:r></w:del>${r('kept')}`),
        ),
      'seen shown kept',
    ],
    [
      'fields',
      () =>
        word(
          p(
            `<w:fldSimple w:instr=" PAGE ">${r('9')}</w:fldSimple><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "x" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${r('link')}<w:r><w:fldChar w:fldCharType="end"/></w:r>`,
          ) + p(r('after &amp; all')),
        ),
      'link after & all',
    ],
    [
      'OpenDocument',
      () =>
        open(
          `${par('a<text:s text:c="3"/>b<text:span>c</text:span>')}<text:tracked-changes>${par('gone')}</text:tracked-changes>${par('x<office:annotation><text:p>note</text:p></office:annotation>y<text:page-number>4</text:page-number> z')}`,
        ),
      'a bc xy z',
    ],
  ] as const) {
    test(name, async () => expect(sourceWords(await file()).join(' ')).toBe(expected))
  }
})

test('finds all words of a document in its PDF, and reports a missing one', async () => {
  const file = await word(
    p(r('CERTIFICATE', '<w:spacing w:val="80"/>')) +
      p(r('for the office of Müller &amp; Söhne', '<w:smallCaps/>')),
  )
  const pdf = join(folder, 'made.pdf')
  writeFileSync(pdf, (await convert(file)).pdf)
  const words = sourceWords(file)
  expect(words).toHaveLength(8)
  expect(findWords(words, textOf(pdf)).missing).toEqual([])
  expect(findWords([...words, 'extra'], textOf(pdf)).missing).toEqual(['EXTRA'])
})

test.each([
  ['the same text in another order', 'one two\f3', 'two one\f3', true],
  ['more text', 'one', 'one two', true],
  ['a letter less', 'one two', 'one tw', false],
  ['a text on another page', 'one\ftwo', 'one two\f', false],
  ['a page less', 'one\ftwo', 'one', false],
])('all letters: %s', (_, reference, text, expected) => {
  expect(hasAllLetters(reference, text)).toBe(expected)
})
