import { expect, it } from 'vitest'
import { isDrawn, treatmentOf } from '../../../../../../plugins/engines/instant/layout/web/supported.ts'
import { longhands } from '../../../../../../shared/css/declarations.ts'
import { startBrowser } from '../../../../../helpers/browser.ts'

it.each([
  ['width', 'calc(100% - 3 * 10px)', true],
  ['width', 'fit-content', true],
  ['width', 'stretch', false],
  ['margin-left', '-.5e1px', true],
  ['color', 'rgb(0 0 0 / .5)', true],
  ['color', 'rgb(from red r g b)', false],
  ['list-style-type', '"- "', true],
  ['list-style-type', 'georgian', false],
  ['height', '50%', false],
  ['text-decoration', 'underline RED', true],
  ['zoom', 'inherit', true],
  ['all', 'inherit', false],
  ['a-property-of-nobody', '1', true],
  ['offset-path', 'circle()', false],
])('%s: %s is drawn: %s', (name, value, expected) => {
  expect(isDrawn(name, value)).toBe(expected)
})

/** Runs in the browser. */
const listProperties = `(() => {
  const { style } = document.documentElement
  const all = new Set(getComputedStyle(document.documentElement))
  for (const key in style) {
    const name = key.replace(/^webkit/, '-webkit').replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase())
    if (CSS.supports(name, 'inherit')) all.add(name)
  }
  return [...all]
})()`

it('each property that Chromium has is in a list', async () => {
  const { browser, stop } = await startBrowser()
  try {
    const page = await browser.newPage()
    const names = (await page.evaluate(listProperties)) as readonly string[]
    expect(names.length).toBeGreaterThan(500)
    const unlisted = names
      .flatMap((name) => longhands(name, '1px').map(([longhand]) => longhand))
      .filter((name) => treatmentOf(name) === undefined)
    expect(unlisted).toEqual([])
  } finally {
    await stop()
  }
})
