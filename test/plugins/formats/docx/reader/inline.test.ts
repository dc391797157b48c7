import { describe, expect, test } from 'vitest'
import type { Inline } from '../../../../../shared/document/content.ts'
import { layWord, readWord, readWordWithWarnings } from '../../../../helpers/laid-out.ts'

const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const char = (type: string, inside = ''): string =>
  `<w:r><w:fldChar w:fldCharType="${type}">${inside}</w:fldChar></w:r>`
const field = (code: string, result: string, form = ''): string =>
  `${char('begin', form)}<w:r><w:instrText xml:space="preserve"> ${code} </w:instrText></w:r>${char('separate')}${result === '' ? '' : run(result)}${char('end')}`

const inlinesOf = (content: string): readonly Inline[] => {
  const [block] = readWord({ body: `<w:p>${content}</w:p>` }).sections[0]!.blocks
  return block?.kind === 'paragraph' ? block.inlines : []
}
/** The text as it is laid out. */
const shownIn = (content: string): string =>
  layWord({ body: `<w:p>${content}</w:p>` })
    .lines.map(({ text }) => text.replaceAll('|', ''))
    .join('/')
const textOf = (content: string): string =>
  inlinesOf(content)
    .map((inline) => (inline.kind === 'text' ? inline.text : `<${inline.kind}>`))
    .join('|')

describe('sequences', () => {
  test('are renumbered, each by its name', () => {
    expect(
      textOf(field('SEQ Figure \\* ARABIC', '7') + field('SEQ Table', '7') + field('SEQ figure', '7')),
    ).toBe('1|1|2')
  })
  test('start over and repeat where they say so', () => {
    expect(textOf(field('SEQ a \\r 5', '') + field('SEQ a', '') + field('SEQ a \\c', ''))).toBe('5|6|6')
  })
  test('keep what was saved where it takes more to know it', () => {
    expect(textOf(field('SEQ a \\s 1', '9') + field('SEQ a \\h', 'x'))).toBe('9|x')
  })
  test('count on behind those that hide, in the figures they ask for', () => {
    const content =
      field('SEQ a', '') +
      field('SEQ a \\h', '') +
      field('SEQ a \\* roman', 'x') +
      field('SEQ a \\* ALPHABETIC', 'x')
    expect(shownIn(content)).toBe('1iiiD')
  })
  test('in a simple field, with its formatting', () => {
    const simple = `<w:fldSimple w:instr=" SEQ a "><w:r><w:rPr><w:b/></w:rPr><w:t>7</w:t></w:r></w:fldSimple>`
    expect(inlinesOf(simple)).toMatchObject([{ kind: 'text', text: '1', run: { bold: true } }])
  })
})

describe('references', () => {
  const mark = (name: string, content: string): string =>
    `<w:bookmarkStart w:id="1" w:name="${name}"/>${content}<w:bookmarkEnd w:id="1"/>`
  const numbering =
    '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
  test('show what their bookmark holds now, before and behind it', () => {
    const content = field('REF b \\h', 'old') + mark('b', run('new')) + field('REF b', 'old')
    expect(shownIn(content)).toBe('newnewnew')
  })
  test('keep the formatting of the saved result when it is equal', () => {
    const bold = '<w:r><w:rPr><w:b/></w:rPr><w:t>ne</w:t></w:r><w:r><w:t>w</w:t></w:r>'
    const saved = field('REF b', '').replace(char('separate'), char('separate') + bold)
    expect(inlinesOf(mark('b', run('new')) + saved).at(-2)).toMatchObject({ text: 'ne', run: { bold: true } })
  })
  test('count with the sequences in their bookmark', () => {
    const caption = mark('b', run('Figure ') + field('SEQ f', '7'))
    expect(shownIn(`${caption}${field('REF b', 'Figure 7')}`)).toBe('Figure 1Figure 1')
  })
  test('to nothing keep what was saved', () => expect(shownIn(field('REF none', 'old'))).toBe('old'))
  test('in a simple field', () => {
    const simple = '<w:fldSimple w:instr=" REF b "><w:r><w:t>old</w:t></w:r></w:fldSimple>'
    expect(shownIn(simple + mark('b', run('new')))).toBe('newnew')
  })
  test('over paragraphs keep what was saved', () => {
    const body = `<w:p>${mark('b', run('new'))}${char('begin')}<w:r><w:instrText>REF b</w:instrText></w:r>${char('separate')}${run('one')}</w:p><w:p>${run('two')}${char('end')}</w:p>`
    expect(layWord({ body }).lines.map(({ text }) => text)).toEqual(['newone', 'two'])
  })
  test('to the number of a paragraph, to the mark of a note', () => {
    const item = `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>${mark('b', run('item'))}</w:p>`
    const note = `<w:p>${mark('n', '<w:r><w:footnoteReference w:id="2"/></w:r>')}</w:p>`
    const asks = `<w:p>${field('REF b \\r', '9')}${run(' and ')}${field('NOTEREF n', '9')}</w:p>`
    const footnotes = '<w:footnote w:id="2"><w:p/></w:footnote>'
    const { lines } = layWord({ body: item + note + asks, numbering, footnotes })
    expect(lines.map(({ text }) => text)).toContain('3 and 1')
  })
})

describe('fields without a saved result', () => {
  const bare = (code: string): string =>
    `${char('begin')}<w:r><w:instrText xml:space="preserve"> ${code} </w:instrText></w:r>${char('end')}`
  test('a button shows its text', () =>
    expect(shownIn(bare('MACROBUTTON NoMacro [Click here]'))).toBe('[Click here]'))
  test('a symbol', () =>
    expect(inlinesOf(bare('SYMBOL 65 \\f "Arial"'))).toMatchObject([
      { text: 'A', run: { fonts: { ascii: 'Arial' } } },
    ]))
  test('visible content is reported, markers are not', () => {
    const codes = (code: string): unknown =>
      readWordWithWarnings({ body: `<w:p>${bare(code)}</w:p>` }).map((warning) => warning.code)
    expect(codes('EQ \\q(1,2)')).toEqual(['read.field'])
    expect(codes('EQ \\f(1,2)')).toEqual([])
    expect(codes('XE "word"')).toEqual([])
  })
})

test('an object without a picture of itself is an empty box with a warning', () => {
  const object =
    '<w:r><w:object w:dxaOrig="1440" w:dyaOrig="720"><o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" ProgID="Excel.Sheet.12"/></w:object></w:r>'
  expect(inlinesOf(object)).toMatchObject([
    { kind: 'drawing', drawing: { width: 72, height: 36, content: { kind: 'unknown' } } },
  ])
  const codes = readWordWithWarnings({ body: `<w:p>${object}</w:p>` }).map(({ code }) => code)
  expect(codes).toEqual(['read.object'])
})

test('changes are shown as the office suite prints them', () => {
  const changed = true
  const looks = (element: string): unknown =>
    inlinesOf(`<w:${element}>${run('a')}</w:${element}>`).map(
      (inline) => inline.kind === 'text' && inline.run,
    )
  expect(looks('ins')).toEqual([{ color: 'C69200', underline: { style: 'single' }, changed }])
  expect(looks('del')).toEqual([{ color: 'C69200', strike: 'single', changed }])
  expect(looks('moveTo')).toEqual([{ color: '008000', underline: { style: 'double' }, changed }])
  expect(looks('moveFrom')).toEqual([{ color: '008000', strike: 'double', changed }])
})

test('each author has a colour, in the order they appear', () => {
  const by = (author: string): string => `<w:ins w:author="${author}">${run('a')}</w:ins>`
  const reset = `<w:r><w:rPr><w:rPrChange w:author="Cy"><w:rPr/></w:rPrChange></w:rPr><w:t>a</w:t></w:r>`
  const colors = inlinesOf(by('Ann') + by('Bee') + by('Ann') + reset).map(
    (inline) => inline.kind === 'text' && inline.run.color,
  )
  expect(colors).toEqual(['C69200', '0646A2', 'C69200', '579D1C'])
})

describe('form fields', () => {
  const list = (result: string): string =>
    `<w:ffData><w:ddList>${result}<w:listEntry w:val="one"/><w:listEntry w:val="two"/></w:ddList></w:ffData>`
  test.each([
    ['the chosen entry', list('<w:result w:val="1"/>'), '', 'two'],
    ['the usual one', list('<w:default w:val="1"/>'), '', 'two'],
    ['the first one', list(''), '', 'one'],
    ['one that is not there', list('<w:result w:val="9"/>'), '', 'one'],
    ['what the file shows', list(''), 'shown', 'shown'],
  ])('a list shows %s', (_, form, result, text) => {
    expect(textOf(field('FORMDROPDOWN', result, form))).toBe(text)
  })
  test('boxes are ticked or not', () => {
    const box = (state: string): string =>
      field('FORMCHECKBOX', '', `<w:ffData><w:checkBox>${state}</w:checkBox></w:ffData>`)
    expect(textOf(box('<w:checked/>') + box('<w:default w:val="1"/>') + box(''))).toBe('☒|☒|☐')
  })
})

describe('a phonetic guide', () => {
  const ruby = `<w:r><w:ruby><w:rubyPr/><w:rt>${run('guide')}</w:rt><w:rubyBase>${run('Base')}</w:rubyBase></w:ruby></w:r>`
  test('is above its base, which stays on the line', () => {
    const { lines, warnings } = layWord({ body: `<w:p>${run('before ')}${ruby}${run(' after')}</w:p>` })
    expect(warnings).toEqual([])
    expect(lines.map(({ text }) => text)).toEqual(['guide', 'before |Base| after'])
    expect(lines[0]!.y).toBeLessThan(lines[1]!.y - 8)
  })
  test('without a base is nothing', () => {
    expect(inlinesOf('<w:r><w:ruby><w:rt/><w:rubyBase/></w:ruby></w:r>')).toEqual([])
  })
})

describe('text whose look was changed', () => {
  const changed =
    '<w:r><w:rPr><w:i/><w:rPrChange w:id="1" w:author="a"><w:rPr/></w:rPrChange></w:rPr><w:t>x</w:t></w:r>'
  test('is bold', () => {
    expect(inlinesOf(changed)).toMatchObject([{ run: { bold: true, italic: true } }])
  })
  test('is marked as new alone where it is new, too', () => {
    expect(inlinesOf(`<w:ins w:id="2" w:author="a">${changed}</w:ins>`)).toMatchObject([
      { run: { underline: { style: 'single' }, italic: true } },
    ])
    expect(inlinesOf(`<w:ins w:id="2" w:author="a">${changed}</w:ins>`)).not.toMatchObject([
      { run: { bold: true } },
    ])
  })
})

describe('text with a direction', () => {
  test.each([
    ['bdo', 'rtl', '\u202eab|cd\u202c'],
    ['bdo', 'ltr', '\u202dab|cd\u202c'],
    ['dir', 'rtl', '\u202bab|cd\u202c'],
    ['dir', 'ltr', '\u202aab|cd\u202c'],
    ['dir', 'up', 'ab|cd'],
  ])('%s %s', (name, way, expected) => {
    expect(textOf(`<w:${name} w:val="${way}">${run('ab')}${run('cd')}</w:${name}>`)).toBe(expected)
  })

  test('holds no text, or breaks alone', () => {
    expect(textOf('<w:bdo w:val="rtl"/>')).toBe('')
    expect(textOf('<w:bdo w:val="rtl"><w:r><w:br/></w:r></w:bdo>')).toBe('<break>')
  })

  test('is laid out that way', () => {
    const bold = '<w:r><w:rPr><w:b/></w:rPr><w:t>de</w:t></w:r>'
    const shown = shownIn(`${run('a ')}<w:bdo w:val="rtl">${run('bc')}${bold}</w:bdo>${run(' f')}`)
    expect(shown.replace(/[\u202a-\u202e]/g, '')).toBe('a debc f')
  })
})
