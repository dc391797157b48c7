import { describe, expect, it } from 'vitest'
import { tokenLines } from '../../../helpers/compile.ts'

/** Finding tags in markup: part, and the tokens that come of it. */
const cases: Readonly<Record<string, readonly [part: string, ...tokens: string[]]>> = {
  'text with a tag': [
    '<p>a {d.v} b</p>',
    'open  p "<p>"',
    'text  "a "',
    'tag   {d.v} as text',
    'text  " b"',
    'close p "</p>"',
  ],
  'blanks in a tag go, but not in quotes': [
    "<p>{ d . v : show ( 'a b' ) }</p>",
    'open  p "<p>"',
    "tag   {d.v:show('a b')} as text",
    'close p "</p>"',
  ],
  'markup in a tag moves behind it': [
    '<p>{d.<b>v</b>}</p>',
    'open  p "<p>"',
    'tag   {d.v} as text',
    'open  b "<b>"',
    'close b "</b>"',
    'close p "</p>"',
  ],
  'markup moves before a tag that ends a block': [
    '<p>{d.v:show<i/>End}</p>',
    'open  p "<p>"',
    'void  i "<i/>"',
    'tag   {d.v:showEnd} as text',
    'close p "</p>"',
  ],
  'noise and emptied runs in a tag go': [
    '<p><w><x>{d.</x></w><noise/><w><wp/><x>v</x></w><w><x>}</x></w></p>',
    'open  p "<p>"',
    'open  w "<w>"',
    'open  x "<x>"',
    'tag   {d.v} as text',
    'close x "</x>"',
    'close w "</w>"',
    'open  w "<w>"',
    'open  x "<x>"',
    'close x "</x>"',
    'close w "</w>"',
    'close p "</p>"',
  ],
  'an element that is a character is read as it': [
    '<p>{d.a<hyphen/>b}</p>',
    'open  p "<p>"',
    'tag   {d.a-b} as text',
    'void  hyphen "<hyphen/>"',
    'close p "</p>"',
  ],
  'deleted text keeps its tags': [
    '<p><deleted>{d.old}</deleted>{d.v}</p>',
    'open  p "<p>"',
    'open  deleted "<deleted>"',
    'text  "{d.old}"',
    'close deleted "</deleted>"',
    'tag   {d.v} as text',
    'close p "</p>"',
  ],
  'an attribute cuts its opening tag': [
    '<p a="x{d.v}y"/>',
    'open  p "<p a=\\""',
    'more  "x"',
    'tag   {d.v} as attribute',
    'more  "y"',
    'close p "\\"/>"',
  ],
  'entities in an attribute are decoded inside the tag': [
    '<p a="{d.l[q&gt;1].n}"/>',
    'open  p "<p a=\\""',
    'tag   {d.l[q>1].n} as attribute',
    'close p "\\"/>"',
  ],
  'a comment': [
    '<p><!-- {d.v} --></p>',
    'open  p "<p>"',
    'more  "<!-- "',
    'tag   {d.v} as comment',
    'more  " -->"',
    'close p "</p>"',
  ],
  'a character section': [
    '<p><![CDATA[{d.v}]]></p>',
    'open  p "<p>"',
    'text  "<![CDATA["',
    'tag   {d.v} as cdata',
    'text  "]]>"',
    'close p "</p>"',
  ],
  'braces that are no tag': ['<p>{x} {} {d.v</p>', 'open  p "<p>"', 'text  "{x} {} {d.v"', 'close p "</p>"'],
}

describe('tags in markup', () => {
  for (const [name, [part, ...tokens]] of Object.entries(cases))
    it(name, () => expect(tokenLines(part)).toEqual(tokens))

  it.each([
    [
      '<img src={d.u} alt=x>',
      ['open  img "<img src=\\""', 'tag   {d.u} as address', 'more  "\\""', 'close img " alt=x>"'],
    ],
    [
      '<img src={d.u}/>',
      ['open  img "<img src=\\""', 'tag   {d.u} as address', 'more  "\\""', 'close img "/>"'],
    ],
    [
      '<img alt=a-{d.a}{d.b}c src=x {d.all}>',
      [
        'open  img "<img alt=\\""',
        'more  "a-"',
        'tag   {d.a} as attribute',
        'tag   {d.b} as attribute',
        'more  "c"',
        'more  "\\""',
        'more  " src=x "',
        'tag   {d.all} as bare',
        'close img ">"',
      ],
    ],
  ])('a value without quotes gets some: %s', (part, tokens) => {
    const rules = { elements: {}, paragraphs: [], noise: [], addresses: /^src$/ }
    expect(tokenLines(part, 'html', rules)).toEqual(tokens)
  })

  it('an address may be percent-encoded', () => {
    const rules = { elements: {}, paragraphs: [], noise: [], addresses: /^href$/ }
    expect(tokenLines('<a href="x?%7Bd.id%7D&amp;y"/>', 'xml', rules)).toEqual([
      'open  a "<a href=\\""',
      'more  "x?"',
      'tag   {d.id} as address',
      'more  "&amp;y"',
      'close a "\\"/>"',
    ])
  })
})
