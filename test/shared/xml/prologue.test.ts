import { describe, expect, it } from 'vitest'
import { formats } from '../../../plugins/formats/index.ts'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import { endOfPlainDoctype, prologueOf } from '../../../shared/xml/prologue.ts'

describe('what stands before the first element', () => {
  it.each([
    ['<a/>', '', ''],
    [
      '\ufeff \n<?xml version="1.0"?>\n<!-- <b> -->\n<a/>',
      '\ufeff \n<?xml version="1.0"?>\n<!-- <b> -->\n',
      '',
    ],
    ['<!DOCTYPE a><a/>', '<!DOCTYPE a>', '<!DOCTYPE a>'],
    [
      '<!doctype a PUBLIC "x>y" \'[\'><a/>',
      '<!doctype a PUBLIC "x>y" \'[\'>',
      '<!doctype a PUBLIC "x>y" \'[\'>',
    ],
    [
      '<!DOCTYPE a [ <!-- don\'t ] --> <?p ]?> <!ENTITY e "]>"> ]><a/>',
      '<!DOCTYPE a [ <!-- don\'t ] --> <?p ]?> <!ENTITY e "]>"> ]>',
      '<!DOCTYPE a [ <!-- don\'t ] --> <?p ]?> <!ENTITY e "]>"> ]>',
    ],
    ['words', '', ''],
    ['', '', ''],
  ])('%s', (text, before, doctype) => {
    expect(prologueOf(text)).toEqual({ end: before.length, doctype })
  })
  it.each(['<?xml', '<!-- ', '<!DOCTYPE a', '<!DOCTYPE a [', '<!DOCTYPE a "'])('%s is cut off', (text) => {
    expect(prologueOf(text)).toBeUndefined()
  })
})

describe('a document type that only has a name', () => {
  it.each([
    '<!DOCTYPE a>',
    '<!doctype html >',
    '<!DOCTYPE math:math PUBLIC "-//OpenOffice.org//DTD Modified W3C MathML 1.01//EN" "math.dtd">',
    '<!DOCTYPE svg PUBLIC \'-//W3C//DTD SVG 1.1//EN\'\n"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">',
    '<!DOCTYPE a SYSTEM "a.dtd">',
  ])('%s', (text) => expect(endOfPlainDoctype(`${text}<a/>`, 0)).toBe(text.length))
  it.each([
    '<!DOCTYPE a [<!ENTITY b "c">]>',
    '<!DOCTYPE a PUBLIC "b" "c.dtd" [<!ENTITY b "c">]>',
    '<!DOCTYPE a SYSTEM "file:///etc/passwd">',
    '<!DOCTYPE a SYSTEM "/etc/passwd">',
    '<!DOCTYPE a SYSTEM "\\\\host\\share">',
    '<!DOCTYPE a SYSTEM "ftp://host/a.dtd">',
    '<!ENTITY a "b">',
    '<!DOCTYPE a',
  ])('not: %s', (text) => expect(endOfPlainDoctype(`${text}<a/>`, 0)).toBe(-1))
})

describe('no format takes long to judge a file by', () => {
  it.each([
    ['comments', `<?xml version="1.0"?>${'<!---->'.repeat(500)}x`],
    ['comments and blanks', `${'<!-- -->\n'.repeat(400)}<x`],
    ['brackets of a type that never ends', `<!DOCTYPE a ${'[]'.repeat(1500)}`],
    ['quotes of a type that never ends', `<!DOCTYPE a ${'""'.repeat(2000)}`],
    ['instructions', `${'<?a?>'.repeat(800)}x`],
    ['blanks', `${' '.repeat(4000)}x`],
    ['a head that never ends', `---\n${'-a: b\n'.repeat(600)}`],
    ['marks', '[]()#*|`\\{}"<&-=~'.repeat(240)],
  ])('%s', async (_, text) => {
    const source = fromBytes(new TextEncoder().encode(text))
    for (const format of formats) {
      const begun = process.cpuUsage()
      await format.sniff?.(source)
      expect(process.cpuUsage(begun).user / 1000, `${format.id}, ms`).toBeLessThan(1000)
    }
  })
})
