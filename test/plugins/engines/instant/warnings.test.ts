import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalogue } from '../../../../shared/errors/catalogue.ts'

const root = new URL('../../../../', import.meta.url).pathname
const page = readFileSync(`${root}docs/limits.md`, 'utf8')
const reported = new Set(
  page
    .slice(page.indexOf('## What engine I draws differently'))
    .match(/(?<=`)(?:font|image|layout|read)\.[a-z-]+(?=`)/g),
)
const sources = globSync(
  [
    'plugins/engines/instant/**/*.ts',
    'plugins/formats/{docx,odt,xlsx,ods}/reader/**/*.ts',
    'plugins/formats/csv/reader.ts',
    'plugins/formats/{pptx,odp}/slides/**/*.ts',
    'shared/office/{ooxml,opendocument}/**/*.ts',
  ],
  { cwd: root },
)
const used = new Set(
  sources.flatMap(
    (path) =>
      readFileSync(`${root}${path}`, 'utf8').match(/(?<=')(?:font|image|layout|read)\.[a-z-]+(?=')/g) ?? [],
  ),
)

test('each warning of the engine and of its readers is listed in the limits', () => {
  const warnings = [...used].filter((code) => !(code in catalogue) || code.startsWith('image.'))
  expect(warnings.filter((code) => !reported.has(code))).toEqual([])
})
test('none is listed that nothing reports', () => {
  expect([...reported].filter((code) => !used.has(code))).toEqual([])
})
