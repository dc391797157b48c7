import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { describe, test } from 'vitest'
import { expectSameRewritten } from '../../helpers/rewritten.ts'

const folder = new URL('../../fixtures/templates', import.meta.url).pathname
const packages = /\.(?:docx|xlsx|pptx|odt|ods|odp|odg)$/

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

describe('a template that a producer wrote in another form of XML merges to the same document', () => {
  for (const name of readdirSync(folder).sort()) {
    if (!existsSync(join(folder, name, 'data.json'))) continue
    const file = readdirSync(join(folder, name)).find(
      (each) => each.startsWith('template.') && packages.test(each),
    )
    if (file === undefined) continue
    const own = join(folder, name, 'options.json')
    const options = {
      currencySource: 'EUR',
      currencyTarget: 'EUR',
      ...(existsSync(own) ? (readJson(own) as object) : {}),
    }
    const data = readJson(join(folder, name, 'data.json'))
    test(name, async () => {
      const template = new Uint8Array(readFileSync(join(folder, name, file)))
      await expectSameRewritten(template, extname(file).slice(1), data, options)
    })
  }
})
