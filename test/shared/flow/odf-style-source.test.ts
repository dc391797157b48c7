import { describe, expect, it } from 'vitest'
import type { Flow } from '../../../shared/flow/flow.ts'
import { inStylesOf } from '../../../shared/flow/odf-style-source.ts'
import { writeOdf } from '../../../shared/flow/write-odf.ts'

const text = (words: string) => ({ kind: 'text', text: words, style: {} }) as const
const flow: Flow = {
  blocks: [
    { kind: 'heading', level: 1, inlines: [text('Head')], align: 'center' },
    {
      kind: 'table',
      headerRows: 0,
      rows: [
        {
          cells: [
            {
              blocks: [{ kind: 'paragraph', inlines: [text('a long text '.repeat(20))] }],
              columns: 1,
              rows: 1,
            },
          ],
        },
      ],
    },
  ],
  pictures: new Map(),
}
const own = writeOdf(flow)

const open = 'urn:oasis:names:tc:opendocument:xmlns:'

interface Other {
  readonly styles?: string
  readonly automatic?: string
  readonly body?: string
  readonly margin?: string
}
const other = ({
  styles = '',
  automatic = '',
  body = '<text:p text:style-name="P1">x</text:p>',
  margin = '2cm',
}: Other = {}) =>
  `<office:document xmlns:office="${open}office:1.0" xmlns:style="${open}style:1.0" xmlns:fo="${open}xsl-fo-compatible:1.0" xmlns:text="${open}text:1.0" xmlns:more="m"><office:settings><set/></office:settings><office:font-face-decls><style:font-face style:name="Own"/></office:font-face-decls><office:styles>${styles}</office:styles><office:automatic-styles><style:page-layout style:name="pm1"><style:page-layout-properties fo:page-width="21cm" fo:margin-left="${margin}" fo:margin-right="${margin}"/></style:page-layout>${automatic}</office:automatic-styles><office:master-styles><style:master-page style:name="Standard" style:page-layout-name="pm1"><style:header>H</style:header></style:master-page></office:master-styles><office:body><office:text>${body}</office:text></office:body></office:document>`

const styled = (more: Other = {}): string => inStylesOf(own, other(more)) ?? ''
const count = (all: string, part: string): number => all.split(part).length - 1

describe('a text in the styles of another', () => {
  it('keeps its text and adopts pages and settings', () => {
    const made = styled()
    expect(made).toContain('>Head</text:h>')
    expect(made).not.toContain('>x</text:p>')
    expect(made).toContain('<style:header>H</style:header>')
    expect(made).toContain('<set/>')
    expect(count(made, '<style:page-layout ')).toBe(1)
    expect(made.slice(0, made.indexOf('<office:meta'))).toContain(' xmlns:more="m" xmlns:')
    expect(count(made, 'xmlns:text=')).toBe(1)
  })

  it('adopts the styles that both have, and keeps its other styles', () => {
    const theirs = '<style:style style:name="Heading_20_1" style:family="paragraph"><theirs/></style:style>'
    const made = styled({ styles: theirs })
    expect(count(made, 'style:name="Heading_20_1"')).toBe(1)
    expect(made).toContain(theirs)
    expect(count(made, 'style:name="Heading_20_2"')).toBe(1)
    // The same name in another family is another style.
    expect(
      count(styled({ styles: theirs.replace('"paragraph"', '"text"') }), 'style:name="Heading_20_1"'),
    ).toBe(2)
  })

  it('has automatic styles that are never those of the other', () => {
    const [, name = ''] = /<text:h text:style-name="([^"]+)"/.exec(own) ?? []
    const made = styled({
      automatic: `<style:style style:name="${name}" style:family="paragraph"><theirs/></style:style>`,
    })
    expect(count(made, `style:name="${name}"`)).toBe(1)
    expect(made).toContain(`<text:h text:style-name="own-${name}"`)
    expect(made).toContain(`<style:style style:name="own-${name}"`)
  })

  it.each([
    ['2cm', 481.9],
    ['4cm', 368.5],
  ])('has tables as wide as pages with margins of %s', (margin, width) => {
    const found = /<style:table-properties style:width="([\d.]+)pt"/.exec(styled({ margin }))?.[1]
    expect(Math.abs(Number(found) - width)).toBeLessThan(0.3)
  })

  it('begins on the page that the other begins on', () => {
    const automatic = '<style:style style:name="P1" style:family="paragraph" style:master-page-name="First"/>'
    const made = styled({ automatic })
    expect(made).toContain('<text:h text:style-name="own-first"')
    // An automatic style has no other above it.
    expect(made).toMatch(
      /<style:style style:name="own-first" style:master-page-name="First"[^>]*style:parent-style-name="Heading_20_1"[^>]*><style:paragraph-properties[^>]* fo:text-align="center"/,
    )
    expect(styled({ automatic: automatic.replace('First', 'Standard') })).not.toContain('own-first')
  })

  it('reads the other whatever its prefixes are', () => {
    const prefixed = other({ margin: '4cm' })
      .replaceAll('office:', 'a:')
      .replaceAll('xmlns:office=', 'xmlns:a=')
      .replaceAll('"urn:oasis:names:tc:opendocument:xmlns:a:1.0"', `"${open}office:1.0"`)
    expect(inStylesOf(own, prefixed)).toBe(styled({ margin: '4cm' }))
  })

  it('is none where the other is no text', () => {
    expect(inStylesOf(own, '<svg/>')).toBeUndefined()
  })
})
