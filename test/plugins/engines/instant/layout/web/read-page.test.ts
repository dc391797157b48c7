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
