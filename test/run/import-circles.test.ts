import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { importsBelow, longCircles } from './import-circles.ts'

/** Each case: which file imports which, and the circles of more than three files. */
const graphs: Readonly<Record<string, readonly [Record<string, string>, readonly string[]]>> = {
  'a chain': [{ a: 'b', b: 'c', c: 'd', d: 'e', e: '' }, []],
  'a circle of three': [{ a: 'b', b: 'c', c: 'a' }, []],
  'a circle of four': [{ a: 'b', b: 'c', c: 'd', d: 'a' }, ['abcd']],
  'two circles of two with an import between them': [{ a: 'b', b: 'ac', c: 'd', d: 'c' }, []],
  'two circles that share a file': [{ a: 'b', b: 'ac', c: 'bd', d: 'c' }, ['abcd']],
  'a circle below a chain': [{ a: 'b', b: 'c', c: 'd', d: 'e', e: 'f', f: 'c' }, ['cdef']],
  'two long circles': [{ a: 'b', b: 'c', c: 'd', d: 'ae', e: 'f', f: 'g', g: 'h', h: 'e' }, ['efgh', 'abcd']],
}

describe('circles of more than three files', () => {
  for (const [name, [graph, expected]] of Object.entries(graphs)) {
    test(name, () => {
      const imports = new Map(Object.entries(graph).map(([file, imported]) => [file, [...imported]]))
      expect(longCircles(imports, 3).map((circle) => circle.join(''))).toEqual(expected)
    })
  }
})

describe('source files', () => {
  let folder = ''
  beforeEach(() => {
    folder = temporaryFolder('platen-circles')
  })
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  const check = () =>
    spawnSync(process.execPath, [fileURLToPath(new URL('import-circles.ts', import.meta.url)), folder], {
      encoding: 'utf8',
    })

  test('every form of import counts', () => {
    const forms: Readonly<Record<string, string>> = {
      'type.ts': "import type { B } from './target.ts'\n",
      'value.ts': "import a, { type B } from './target.ts'\n",
      'lines.ts': "import {\n  one,\n  two,\n} from './target.ts'\n",
      'export.ts': "export { one } from './target.ts'\n",
      'effect.mjs': "import './target.ts'\n",
      'late.ts': "const late = () => import('./target.ts')\n",
      'comment.ts': "// import type { B } from './target.ts'\nexport const one = 'from'\n",
      'package.ts': "import { join } from 'node:path'\n",
    }
    write('target.ts', '')
    for (const [name, text] of Object.entries(forms)) write(name, text)
    const found = [...importsBelow([folder])].filter(([, imported]) => imported.length > 0)
    expect(found.map(([file]) => file.slice(folder.length + 1)).sort()).toEqual(
      ['effect.mjs', 'export.ts', 'late.ts', 'lines.ts', 'type.ts', 'value.ts'].sort(),
    )
    for (const [, imported] of found) expect(imported).toEqual([join(folder, 'target.ts')])
  })

  test('the check passes with a circle of three types and fails with one of four', () => {
    write('a.ts', "import type { B } from './b.ts'\nexport interface A { b?: B }\n")
    write('b.ts', "import type { C } from './c.ts'\nexport interface B { c?: C }\n")
    write('c.ts', "import type { A } from './a.ts'\nexport interface C { a?: A }\n")
    expect(check().status).toBe(0)
    write('c.ts', "import type { D } from './d.ts'\nexport interface C { d?: D }\n")
    write('d.ts', "import type { A } from './a.ts'\nexport interface D { a?: A }\n")
    const { status, stdout } = check()
    expect(status).toBe(1)
    expect(stdout).toContain('4 files import each other')
    expect(stdout).toMatch(/d\.ts imports .*a\.ts/)
  })
})
