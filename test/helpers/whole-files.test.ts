import { describe, expect, it } from 'vitest'
import { writePict } from '../../plugins/engines/raster/pict.ts'
import { writeSwf } from '../../plugins/engines/raster/swf.ts'
import { notOfKind } from './content-kind.ts'
import { fixture } from './pictures.ts'

const bitmap = { width: 9, height: 4, rgb: new Uint8Array(9 * 4 * 3).map((_, at) => at * 7) }
const bytes = (text: string) => new TextEncoder().encode(text)
const eps = (body: string, box = '0 0 20 10') =>
  `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: ${box}\n%%EndComments\n%%BeginProlog\n%%EndProlog\n${body}\nshowpage\n%%EOF\n`
const dif = (tuples: number) =>
  `TABLE\n0,1\n"A"\nVECTORS\n0,2\n""\nTUPLES\n0,${tuples}\n""\nDATA\n0,0\n""\n-1,0\nBOT\n1,0\n"a\nb"\n0,7\nV\n-1,0\nEOD\n`

const whole: Readonly<Record<string, readonly [string, Uint8Array]>> = {
  png: ['png', fixture('rgb.png')],
  bmp: ['bmp', fixture('rgb.bmp')],
  swf: ['swf', writeSwf(bitmap)],
  pct: ['pct', writePict(bitmap)],
  ppm: ['ppm', bytes('P6\n2 1\n255\nabcdef')],
  eps: ['eps', bytes(eps('/a (b \\) c) def 1 0 0 setrgbcolor 0 0 9 9 rectfill newpath fill'))],
  dif: ['dif', bytes(dif(1))],
  slk: ['slk', bytes('ID;P\nC;X1;Y1;K"a;;b"\nC;X2;Y1;K7\nE\n')],
  rtf: ['rtf', bytes('{\\rtf1 {\\b a\\}}\\bin3 }}}x}')],
  bib: ['bib', bytes('@book{a, title={B {C}}}\n')],
  latex: ['latex', bytes('\\documentclass{article}\n\\begin{document}\na \\{ 5\\%\n\\end{document}\n')],
  docbook: ['docbook', bytes('<?xml version="1.0"?><article><title>a</title></article>')],
}

describe('reading a file to its end', () => {
  it.each(Object.keys(whole))('%s that is whole', async (name) => {
    const [format, file] = whole[name] as readonly [string, Uint8Array]
    expect(await notOfKind(format, file)).toBeUndefined()
  })
  it.each(Object.keys(whole))('%s that lacks its end, or goes on behind it', async (name) => {
    const [format, file] = whole[name] as readonly [string, Uint8Array]
    expect(await notOfKind(format, file.subarray(0, file.length - 8))).toBeDefined()
    if (['dif', 'bib', 'docbook'].includes(name)) return
    expect(await notOfKind(format, Uint8Array.of(...file, 0x2a, 0x2a, 0x2a, 0x2a))).toBeDefined()
  })
  it.each([
    ['eps', eps('(a'), /string without an end/],
    ['eps', eps('fill', '0 0 0 10'), /0 by 10/],
    ['eps', eps('0 0 moveto'), /paints nothing/],
    ['eps', eps('/a { fill'), /procedure without an end/],
    ['dif', dif(2), /says 2 by 2 and has 2 by 1/],
    ['slk', 'ID;P\nC;X1;Y1\nE\n', /a cell is C;X1;Y1/],
    ['rtf', '{\\rtf1 {\\b a}', /1 groups are open/],
    ['latex', '\\documentclass{article}\n\\begin{a}\n\\end{document}\n', /ends something else/],
    ['svg', '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>', /Expected closing tag/],
  ])('%s %s', async (format, file, said) => {
    expect(await notOfKind(format, bytes(file))).toMatch(said)
  })
  it('pictures whose lengths and sums are not true', async () => {
    for (const [format, at] of [
      ['png', 40],
      ['bmp', 2],
      ['swf', 4],
    ] as const) {
      const file = (whole[format] as readonly [string, Uint8Array])[1].slice()
      file[at] = (file[at] as number) ^ 1
      expect(await notOfKind(format, file), format).toBeDefined()
    }
  })
})
