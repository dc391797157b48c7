import { describe, expect, it } from 'vitest'
import { formats } from '../../../plugins/formats/index.ts'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import { prologueOf } from '../../../shared/xml/prologue.ts'

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
