import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalogue } from '../../../../shared/errors/catalogue.ts'

const root = new URL('../../../../', import.meta.url).pathname
const readme = readFileSync(`${root}plugins/engines/instant/README.md`, 'utf8')
const told = new Set(
  readme.slice(readme.indexOf('## What it tells')).match(/(?<=`)(?:font|image|layout|read)\.[a-z-]+(?=`)/g),
)
const sources = globSync(['plugins/engines/instant/**/*.ts', 'plugins/formats/{docx,odt}/reader/*.ts'], {
  cwd: root,
})
const used = new Set(
  sources.flatMap(
    (path) =>
      readFileSync(`${root}${path}`, 'utf8').match(/(?<=')(?:font|image|layout|read)\.[a-z-]+(?=')/g) ?? [],
  ),
)

test('each warning of the engine and of its readers stands in its README', () => {
  const warnings = [...used].filter((code) => !(code in catalogue) || code.startsWith('image.'))
  expect(warnings.filter((code) => !told.has(code))).toEqual([])
})
test('none stands there that nothing tells', () => {
  expect([...told].filter((code) => !used.has(code))).toEqual([])
})
