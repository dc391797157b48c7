import { expect, it } from 'vitest'
import { pageStyle, withRequestedPage } from '../../../shared/flow/page-style.ts'

const generated = `<!DOCTYPE html><html><head><style>\n${pageStyle}</style></head><body>x</body></html>`
const pageOf = (html: string) => /@page \{ (.*?) \}/.exec(html)?.[1]

it.each<[string, Record<string, unknown>, string]>([
  ['nothing', { Scale: 0.5 }, 'size: A4; margin: 2cm'],
  [
    'another paper',
    { PaperSize: 'A5' },
    'margin-top: 2cm; margin-right: 2cm; margin-bottom: 2cm; margin-left: 2cm',
  ],
  [
    'paper on its side',
    { Landscape: true },
    'margin-top: 2cm; margin-right: 2cm; margin-bottom: 2cm; margin-left: 2cm',
  ],
  ['two margins', { MarginTop: '1cm', MarginLeft: 0 }, 'size: A4; margin-right: 2cm; margin-bottom: 2cm'],
])('a generated page leaves a request for %s to the engine', (_name, options, page) => {
  const html = withRequestedPage(generated, options)
  expect(pageOf(html)).toBe(page)
  // The rest stays.
  expect(html.replace(/@page \{.*?\}(?: \/\* default \*\/)?/, '')).toBe(
    generated.replace(/@page \{.*?\} \/\* default \*\//, ''),
  )
})

it('a rule that an author wrote stays, whatever is requested', () => {
  const own = '<style>@page { size: A4; margin: 2cm }</style>'
  expect(withRequestedPage(own, { PaperSize: 'A5', MarginTop: '1cm' })).toBe(own)
})
