import { describe, expect, it } from 'vitest'
import { escapeFormulae } from '../../../../plugins/engines/libreoffice/formulae.ts'

const form = { separator: ',', delimiter: '"', characterSet: '76' }
const escaped = (text: string, more: Partial<typeof form> = {}) =>
  new TextDecoder().decode(escapeFormulae(new TextEncoder().encode(text), { ...form, ...more }))

describe('CSV with escaped formulae', () => {
  it.each([
    ['=1+1,a\n', "'=1+1,a\n"],
    ['a,@SUM(A1)\r\n+cmd,-cmd\r\n', "a,'@SUM(A1)\r\n'+cmd,'-cmd\r\n"],
    ['"=HYPERLINK(""http://x"",""y"")",b', `"'=HYPERLINK(""http://x"",""y"")",b`],
    ['"a\n=b",c', '"a\n=b",c'],
    ['-5,+3.2,-1e9,"-1,234.5",-5%', '-5,+3.2,-1e9,"-1,234.5",-5%'],
    ['-5+cmd|x', "'-5+cmd|x"],
    ['\u00e4=,\u4e2d,=\u00e9', "\u00e4=,\u4e2d,'=\u00e9"],
    ['\ufeff=a,b', "\ufeff'=a,b"],
    ['"\t=a",""', `"'\t=a",""`],
    ['a,,=b\n\n=c', "a,,'=b\n\n'=c"],
    ['"open =', '"open ='],
    ['', ''],
  ])('%j becomes %j', (text, expected) => {
    // The byte order mark is kept, which TextDecoder would hide.
    const bytes = escapeFormulae(new TextEncoder().encode(text), form)
    expect(Buffer.from(bytes).toString()).toBe(expected)
  })

  it('follows the separator and the delimiter of the request', () => {
    expect(escaped('=a;b;=c', { separator: ';' })).toBe("'=a;b;'=c")
    expect(escaped("'=a''b';x", { separator: ';', delimiter: "'" })).toBe("''=a''b';x")
    expect(escaped('=a||=b', { separator: '||', delimiter: '' })).toBe("'=a||'=b")
    expect(escaped('"=a"\t"=b"', { separator: '\t', delimiter: '' })).toBe('"=a"\t"=b"')
  })

  it.each(['75', '65534', '65535'])('refuses character set %s', (characterSet) => {
    expect(() => escaped('=a', { characterSet })).toThrow(
      expect.objectContaining({ code: 'convert.options' }),
    )
  })
})
