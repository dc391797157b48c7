import { describe, expect, it } from 'vitest'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import { docxOf, odtOf, zipOf } from '../../helpers/docx.ts'
import { formatOf } from '../../helpers/merge.ts'

const text = (content: string) => new TextEncoder().encode(content)
const files: Readonly<Record<string, Uint8Array>> = {
  docx: await docxOf(''),
  odt: await odtOf(''),
  zip: await zipOf({ 'a.txt': 'x' }),
  'cut docx': (await docxOf('')).subarray(0, 100),
  html: text('<!DOCTYPE html><html><body>x</body></html>'),
  xhtml: text('<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"></html>'),
  fragment: text('<p>Dear {d.x}</p>'),
  'styled fragment': text('<!-- a -->\n<style>b{color:red}</style><b>x</b>'),
  picture: text('<img src="x.png">'),
  elements: text('<style:style/>'),
  xml: text('<?xml version="1.0"?><a/>'),
  'page with a space': text('<html xmlns="http://www.w3.org/1999/xhtml"></html>'),
  'word 2003': text(
    '<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument xmlns:v="x" xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"/>',
  ),
  'excel 2003': text('<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>'),
  'other workbook': text('<?xml version="1.0"?><Workbook/>'),
  'docbook 5': text('<!-- a --><d:book xmlns:d="http://docbook.org/ns/docbook" version="5.0"></d:book>'),
  'docbook 4': text(
    '<!DOCTYPE article PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "x.dtd" [<!ENTITY a "b">]><article/>',
  ),
  markdown: text('# Title\n\n| a | b |'),
  csv: text('a;b\n1;2'),
  words: text('Dear all'),
  empty: text(''),
  binary: Uint8Array.from({ length: 64 }, (_, n) => n % 7),
}

const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  docx: { docx: 'sure' },
  odt: { odt: 'sure' },
  xhtml: { xhtml: 'sure' },
  docbook: { 'docbook 4': 'sure', 'docbook 5': 'sure' },
  ooxml: { 'word 2003': 'sure' },
  xmlss: { 'excel 2003': 'sure' },
  html: {
    html: 'sure',
    xhtml: 'sure',
    'page with a space': 'sure',
    fragment: 'maybe',
    'styled fragment': 'maybe',
    picture: 'maybe',
  },
  xml: {
    xhtml: 'sure',
    xml: 'sure',
    'word 2003': 'sure',
    'other workbook': 'sure',
    'excel 2003': 'maybe',
    'page with a space': 'maybe',
    html: 'no',
    fragment: 'maybe',
    picture: 'maybe',
    elements: 'maybe',
  },
  md: { markdown: 'maybe' },
  csv: { csv: 'maybe' },
}

describe('formats judge content', () => {
  for (const [format, answers] of Object.entries(expected)) {
    for (const [name, bytes] of Object.entries(files)) {
      it(`${format} of ${name}`, async () => {
        expect(await formatOf(format)!.sniff!(fromBytes(bytes))).toBe(answers[name] ?? 'no')
      })
    }
  }
  it('anything readable may be text', async () => {
    expect(await formatOf('txt')!.sniff!(fromBytes(files['words']!))).toBe('maybe')
    expect(await formatOf('txt')!.sniff!(fromBytes(files['binary']!))).toBe('no')
  })
})
