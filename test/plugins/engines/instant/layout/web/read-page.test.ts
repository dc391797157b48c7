import { expect, it } from 'vitest'
import { readPage } from '../../../../../../plugins/engines/instant/layout/web/read-page.ts'

it.each([
  ['<!DOCTYPE html>', false],
  ['', true],
  [
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
    false,
  ],
  [
    '<?xml version="1.0"?>\n<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"\n "http://www.w3.org/TR/html4/loose.dtd">',
    false,
  ],
  ['<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">', true],
  ['<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">', true],
])('a page with %j has the margins of old pages: %s', (type, quirks) => {
  expect(readPage(`${type}<p>a`).quirks).toBe(quirks)
})

it.each([
  ['<link rel="stylesheet" href="data:text/css,p%7Bcolor:red%7D">', 'p{color:red}', false],
  ['<link rel=stylesheet media=print href="data:text/css;base64,cHt9">', '@media print{p{}}', false],
  ['<link rel="stylesheet" href="https://example.com/a.css">', '', true],
  ['<link rel="icon" href="https://example.com/a.png">', '', false],
  ['<link rel="stylesheet" media="screen" href="https://example.com/a.css">', '', false],
])('a page with %s has the style sheet %j; others outside of it: %s', (link, sheet, outsideSheets) => {
  expect(readPage(`<!DOCTYPE html>${link}<p>a`)).toMatchObject({ sheet, outsideSheets })
})
