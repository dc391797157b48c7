import { describe, expect, test } from 'vitest'
import type { MathNode } from '../../../shared/document/math.ts'
import { latexOf } from '../../../shared/flow/math-latex.ts'
import { readMath } from '../../../shared/office/ooxml/math.ts'
import { wordVocabulary } from '../../../shared/office/ooxml/vocabulary.ts'
import { XmlCursor } from '../../../shared/xml/cursor.ts'

/** OMML, with `r(x)` for a run of italic text and `n(x)` for a run of normal text. */
const r = (text: string) => `<m:r><m:t xml:space="preserve">${text}</m:t></m:r>`
const n = (text: string) => `<m:r><m:rPr><m:nor/></m:rPr><m:t xml:space="preserve">${text}</m:t></m:r>`
const p = (text: string) => `<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>${text}</m:t></m:r>`
const tag = (name: string, inside: string) => `<m:${name}>${inside}</m:${name}>`
const e = (inside: string) => tag('e', inside)

function mathOf(omml: string): MathNode {
  const xml = `<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${omml}</m:oMath>`
  const cursor = new XmlCursor(xml, wordVocabulary)
  if (!cursor.root()) throw new Error('There is no equation.')
  return readMath(cursor)
}

describe('equations of Word as LaTeX', () => {
  test.each([
    ['a fraction', tag('f', tag('num', r('a')) + tag('den', r('b'))), '\\frac{a}{b}'],
    [
      'a linear fraction',
      tag('f', `<m:fPr><m:type m:val="lin"/></m:fPr>${tag('num', r('a'))}${tag('den', r('b'))}`),
      'a/b',
    ],
    [
      'the binomial',
      tag(
        'd',
        e(tag('f', `<m:fPr><m:type m:val="noBar"/></m:fPr>${tag('num', r('n'))}${tag('den', r('k'))}`)),
      ),
      '\\binom{n}{k}',
    ],
    ['a power', tag('sSup', e(r('x')) + tag('sup', r('2'))), 'x^{2}'],
    [
      'a power of a sum',
      tag('sSup', e(tag('d', e(r('x+y')))) + tag('sup', r('n'))),
      '\\left(x+y\\right)^{n}',
    ],
    ['a power of two letters', tag('sSup', e(r('ab')) + tag('sup', r('2'))), '{ab}^{2}'],
    ['an index', tag('sSub', e(r('x')) + tag('sub', r('i'))), 'x_{i}'],
    ['both', tag('sSubSup', e(r('x')) + tag('sub', r('i')) + tag('sup', r('2'))), 'x_{i}^{2}'],
    [
      'scripts before',
      tag('sPre', tag('sub', r('6')) + tag('sup', r('14')) + e(p('C'))),
      '{}_{6}^{14}\\mathrm{C}',
    ],
    ['a root', tag('rad', `<m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${e(r('x'))}`), '\\sqrt{x}'],
    ['a cube root', tag('rad', tag('deg', r('3')) + e(r('x+1'))), '\\sqrt[3]{x+1}'],
    [
      'a sum',
      tag(
        'nary',
        `<m:naryPr><m:chr m:val="∑"/></m:naryPr>${tag('sub', r('i=1'))}${tag('sup', r('n'))}${e(r('i'))}`,
      ),
      '\\sum_{i=1}^{n}i',
    ],
    [
      'an integral with its limits above and below',
      tag(
        'nary',
        '<m:naryPr><m:limLoc m:val="undOvr"/></m:naryPr>' +
          tag('sub', r('0')) +
          tag('sup', r('∞')) +
          e(r('f')),
      ),
      '\\int\\limits_{0}^{\\infty}f',
    ],
    ['an integral', tag('nary', tag('sub', r('a')) + tag('sup', r('b')) + e(r('xdx'))), '\\int_{a}^{b}xdx'],
    ['a function', tag('func', tag('fName', p('sin')) + e(r('θ'))), '\\sin\\,\\theta'],
    [
      'a limit',
      tag('func', tag('fName', tag('limLow', e(p('lim')) + tag('lim', r('n→∞')))) + e(r('a'))),
      '\\lim_{n\\to\\infty}\\,a',
    ],
    [
      'a matrix in brackets',
      tag(
        'd',
        '<m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>' +
          e(tag('m', tag('mr', e(r('1')) + e(r('0'))) + tag('mr', e(r('0')) + e(r('1'))))),
      ),
      '\\begin{bmatrix}1 & 0 \\\\ 0 & 1\\end{bmatrix}',
    ],
    [
      'cases',
      tag(
        'd',
        '<m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>' +
          e(tag('eqArr', e(r('x, x&gt;0')) + e(r('0')))),
      ),
      '\\begin{cases}x, x>0 \\\\ 0\\end{cases}',
    ],
    [
      'bars and separators',
      tag('d', `<m:dPr><m:begChr m:val="⟨"/><m:endChr m:val="⟩"/></m:dPr>${e(r('a'))}${e(r('b'))}`),
      '\\left\\langle a\\middle\\vert b\\right\\rangle',
    ],
    [
      'aligned equations',
      tag('eqArr', e(r('a&amp;=b')) + e(r('c&amp;=d'))),
      '\\begin{aligned}a&=b \\\\ c&=d\\end{aligned}',
    ],
    ['a hat', tag('acc', e(r('x'))), '\\hat{x}'],
    ['a wide arrow', tag('acc', `<m:accPr><m:chr m:val="⃗"/></m:accPr>${e(r('AB'))}`), '\\overrightarrow{AB}'],
    ['a bar', tag('bar', `<m:barPr><m:pos m:val="top"/></m:barPr>${e(r('z'))}`), '\\bar{z}'],
    ['a brace below', tag('groupChr', e(r('a+b'))), '\\underbrace{a+b}'],
    ['a box', tag('borderBox', e(r('E'))), '\\boxed{E}'],
    ['words', r('x=') + n('speed of light'), 'x=\\text{speed of light}'],
    ['words with signs', n('50 % of {x_1}'), '\\text{50 \\% of \\{x\\_1\\}}'],
    ['greek and letters keep apart', r('αx+2βγ'), '\\alpha x+2\\beta\\gamma'],
    ['relations and sets', r('x∈ℝ, a≤b'), 'x\\in\\mathbb{R}, a\\leq b'],
    ['letters of other alphabets', r('𝐯𝒜𝔤𝑥'), '\\mathbf{v}\\mathcal{A}\\mathfrak{g}x'],
    ['what LaTeX would read', r('5%$#_{}'), '5\\%\\$\\#\\_\\{\\}'],
    ['no bar that a table would read', r('|x|'), '\\vert x\\vert'],
  ])('%s', (_, omml, expected) => expect(latexOf(mathOf(omml))).toBe(expected))
})
