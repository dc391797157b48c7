import { describe, expect, it } from 'vitest'
import { takePrintHelpers } from '../../../../shared/template/html/print-helpers.ts'

const margins = { MarginTop: '0.5in', MarginBottom: '0.5in', MarginLeft: '0.5in', MarginRight: '0.5in' }

describe('elements that say how a page is printed', () => {
  const rows: [string, string, ReturnType<typeof takePrintHelpers>][] = [
    ['none', '<p>pdf-header</p><pdf-headers>', undefined],
    [
      'header and footer',
      '<html><x-pdf-header> <b>A</b> </x-pdf-header><p>B</p><pdf-footer><span class="pageNumber"></span></pdf-footer></html>',
      {
        html: '<html><p>B</p></html>',
        options: { HeaderTemplate: '<b>A</b>', FooterTemplate: '<span class="pageNumber"></span>' },
      },
    ],
    [
      'options',
      `a<My-PDF-options landscape="true" paper-size='Letter' margin-top=1.5 scale="9" print-background=false page-ranges="1 - 2,4" generate-tagged-pdf title="a>b"/>c`,
      {
        html: 'ac',
        options: {
          ...margins,
          MarginTop: '1.5in',
          PaperSize: 'letter',
          Landscape: true,
          Scale: 2,
          PrintBackground: false,
          PageRange: '1-2,4',
          UseTaggedPDF: true,
        },
      },
    ],
    [
      'paper by its sides, without an end tag',
      '<pdf-options paper-width=4><p>x',
      { html: '<p>x', options: { ...margins, PaperSize: '4in 11.7in' } },
    ],
    [
      'a header that is not to be shown',
      '<pdf-options display-header-footer="false"></pdf-options><pdf-header>A</pdf-header>',
      { html: '', options: margins },
    ],
    ['a header without an end', 'a<pdf-header>b', { html: 'a', options: { HeaderTemplate: 'b' } }],
    ['one in a comment', '<!-- <pdf-header>A</pdf-header> --><p>', undefined],
    ['one in a program', '<script>"<pdf-header>A</pdf-header>"</script>', undefined],
    [
      'values that are none',
      '<pdf-options scale=x page-ranges=";" margin-left="-3"/>',
      { html: '', options: margins },
    ],
  ]
  it('takes linear time for many elements without an end', () => {
    const { html } = takePrintHelpers('<pdf-options>'.repeat(50_000)) ?? {}
    expect(html).toBe('')
  })
  it.each(rows)('%s', (_name, html, expected) => expect(takePrintHelpers(html)).toEqual(expected))
})
