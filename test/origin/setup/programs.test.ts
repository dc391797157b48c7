import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { missingPackages } from '../../../origin/setup/system-packages.mjs'

const root = new URL('../../../', import.meta.url)
const { packages, everywhere } = JSON.parse(
  readFileSync(new URL('origin/setup/packages.json', root), 'utf8'),
) as {
  readonly packages: readonly { readonly name: string; readonly programs?: readonly string[] }[]
  readonly everywhere: Readonly<Record<string, readonly string[]>>
}
const declared = new Set([
  ...packages.flatMap(({ programs = [] }) => programs),
  ...Object.values(everywhere).flat(),
  'npm', // what a machine must bring
  'systemctl', // asked for only where systemd runs
  'no-such-program', // of a test
])

/**
 * Expressions that name a program without being its name, and what they stand for: programs that packages declare, or
 * none where what is started is not the system's.
 */
const expressions: Readonly<Record<string, readonly string[]>> = {
  'process.execPath': [],
  'projectNode()': [],
  node: [], // test/run/check.mjs
  workerdProgram: [], // of an npm package
  "new URL('./peer-process.ts', import.meta.url)": [], // fork
  entry: [], // fork
  command: ['perl', 'qpdf', 'pdftotext', 'pdfinfo'], // what `confine` and helpers are given
  'wanted.program': [], // looked at where it is given
  'confined.command': ['perl'], // confine.pl, which becomes the program
  'installation.python': ['python3'],
  python: ['python3'],
  perl: ['perl'],
  program: [],
  tool: [],
  "join(bin, 'initdb')": ['initdb'],
  "join(bin, 'postgres')": ['postgres'],
}

describe('programs that the service and the tests start', () => {
  it('come from a declared package, or from one that every Debian has', () => {
    const unknown = started().filter(({ what }) => {
      const literal = /^'(?:.*\/)?([^'/]+)'$/.exec(what)?.[1]
      const names = literal === undefined ? expressions[what] : [literal]
      return names === undefined || names.some((name) => !declared.has(name))
    })
    // Declare the program in origin/setup/packages.json, or do without it.
    expect(unknown).toEqual([])
  })

  it('are all installed here', () => {
    const missing = missingPackages(['service', 'office-alt', 'test'])
    expect(missing.map(({ name }) => `apt-get install ${name}`)).toEqual([])
  })
})

/** Where a program is started: the first argument of each call that starts one, as it is written. */
function started(): readonly { readonly file: string; readonly what: string }[] {
  const files = ['edge', 'origin', 'plugins', 'shared', 'test'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|mjs)$/.test(name) && !/node_modules|^fixtures\/|^run\/fresh\.mjs$/.test(name))
      .map((name) => `${folder}/${name}`),
  )
  return files.flatMap((file) => {
    const text = readFileSync(new URL(file, root), 'utf8')
    const imports = [...text.matchAll(/import \{([^}]*)\} from 'node:child_process'/g)]
    const calls = imports
      .flatMap(([, list = '']) => list.split(','))
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
    const promised = [...text.matchAll(/const (\w+) = promisify\(execFile\)/g)].map(([, name = '']) => name)
    const starts = [...calls, ...promised, 'promisify\\(execFile\\)']
    const given = new RegExp(`(?<![\\w.])(?:${starts.join('|')})\\(\\s*((?:[^(),\\n]|\\([^()]*\\)?)+)`, 'g')
    // Helpers that start a given program, and what plugins call it.
    const reported = /\b(?:ask\(|isInstalled\(|runPoppler\([^'()]*|program: )('[a-z][^']*')/g
    return [...(calls.length > 0 ? text.matchAll(given) : []), ...text.matchAll(reported)].map(
      ([, what = '']) => ({ file, what: what.trim() }),
    )
  })
}
