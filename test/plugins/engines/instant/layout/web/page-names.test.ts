import { expect, it } from 'vitest'
import { boxPage } from '../../../../../../plugins/engines/instant/layout/web/layout-page.ts'
import { readPage } from '../../../../../../plugins/engines/instant/layout/web/read-page.ts'

const undrawnOf = (css: string, body: string): string[] => [
  ...boxPage(readPage(`<!doctype html><style>${css}</style><body>${body}</body>`), () => {}).undrawn,
]
const wide = '@page wide { size: landscape } '

it.each([
  ['of all content', wide, '<div style="page: wide"><p>a</p><p>b</p></div>', false],
  ['of no content', '@page other { margin: 0 } @page { margin: 1cm }', '<p>a</p>', false],
  ['that no rule names', '@page { margin: 1cm }', '<p style="page: wide">a</p>', false],
  ['of a part of the content', wide, '<p>a</p><p style="page: wide">b</p>', true],
  ['beside the page of the rest', `${wide} @page { margin: 1cm }`, '<p style="page: wide">b</p>', true],
  [
    'beside another one',
    `${wide} @page small { size: A5 }`,
    '<p style="page: wide">a</p><p style="page: small">b</p>',
    true,
  ],
  [
    'in a box with a page of its own',
    wide,
    '<div style="page: wide"><p style="page: none">a</p></div>',
    true,
  ],
])('a named page %s is reported where pages differ', (_, css, body, isReported) => {
  expect(undrawnOf(css, body)).toEqual(isReported ? ['named pages'] : [])
})
