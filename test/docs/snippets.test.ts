import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadExternalPlugins } from '../../origin/external-plugins.ts'
import type { EnginePlugin } from '../../shared/plugin/contract.ts'
import type { Target } from '../contract/http/client.ts'
import { docPages, nodesOf, type Page, root } from '../helpers/markdown-pages.ts'
import { originTarget } from '../helpers/origin-target.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

/** The snippets of README.md and docs/: shell is run, TypeScript is type-checked and run, the rest is parsed. */

const pages = docPages()
const snippets = (language: string) =>
  pages.flatMap((page) =>
    nodesOf(page.tree, 'code').flatMap(({ lang, value }) => (lang === language ? [{ page, value }] : [])),
  )

/** Commands that a test cannot run: they serve for ever, run all tests, or need an account, a hosted service or other machines. */
const notRun = [
  'npm start',
  'npm test',
  'npm run',
  'npx wrangler',
  'openssl pkcs12', // needs a file of another program
  'SERVICE_ORIGIN_SECRET=',
  'export SERVICE_',
  'npx platen accounts',
  'npx platen fonts', // needs an account
]

/** Commands of a snippet: lines, a backslash at the end of one joins the next. */
const commandsOf = (snippet: string): readonly string[] =>
  snippet
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

const shellCommands = (page: Page) =>
  nodesOf(page.tree, 'code').flatMap(({ lang, value }) => (lang === 'sh' ? commandsOf(value) : []))
const isRun = (command: string) => !notRun.some((beginning) => command.startsWith(beginning))

describe('shell snippets, with a running service', () => {
  let target: Target
  beforeAll(async () => {
    target = await originTarget()
  })
  afterAll(() => target?.stop())

  /** A page is one script, in a folder that looks like a clone. */
  async function run(page: Page): Promise<string> {
    const folder = temporaryFolder('platen-snippets')
    try {
      await mkdir(join(folder, 'test/fixtures'), { recursive: true })
      await symlink(join(root, 'test/fixtures/templates'), join(folder, 'test/fixtures/templates'))
      await cp(join(root, 'client'), join(folder, 'client'), { recursive: true })
      await cp(join(root, 'test/fixtures/templates/letter/template.docx'), join(folder, 'a.docx'))
      const platen = `${process.execPath} ${join(root, 'origin/cli/main.ts')}`
      const commands = shellCommands(page)
        .filter(isRun)
        .map((command) =>
          command.replaceAll('http://127.0.0.1:4000', target.url).replace(/^npx platen/, platen),
        )
      const wanted = commands.flatMap((command) =>
        [...command.matchAll(/ -o (\S+)/g)].map(([, file]) => file!),
      )
      const script = ['set -eu', ...commands].join('\n')
      const said = await new Promise<string>((resolve) => {
        const env = { ...process.env, SERVICE_WORKDIR: folder }
        execFile('sh', ['-c', script], { cwd: folder, env }, (error, out, err) =>
          resolve(error === null ? '' : `exit ${error.code}: ${out.slice(-500)} ${err.slice(-1500)}`),
        )
      })
      if (said !== '') return said
      for (const file of wanted) {
        const bytes = await readFile(join(folder, file))
        if (file.endsWith('.pdf') && !bytes.subarray(0, 5).equals(Buffer.from('%PDF-')))
          return `${file}: ${bytes.subarray(0, 300).toString()}`
      }
      return ''
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  it.each(pages.filter((page) => shellCommands(page).some(isRun)).map((page) => [page.path, page] as const))(
    '%s',
    async (_path, page) => {
      expect(await run(page)).toBe('')
    },
  )

  it('what is not run names scripts and files that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const named = pages.flatMap(({ source }) =>
      [...source.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!),
    )
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
    for (const beginning of notRun)
      expect(
        pages.flatMap(shellCommands).some((command) => command.startsWith(beginning)),
        beginning,
      ).toBe(true)
  })
})

describe('other snippets', () => {
  it.each(snippets('json').map(({ page, value }) => [page.path, value]))('JSON of %s', (_path, value) => {
    expect(() => JSON.parse(value) as unknown).not.toThrow()
  })

  it('JavaScript and scripts inside HTML can be parsed', async () => {
    const scripts = [
      ...snippets('js').map(({ value }) => value),
      ...snippets('html').flatMap(({ value }) =>
        [...value.matchAll(/<script type="module">([\s\S]*?)<\/script>/g)].map(([, script]) => script!),
      ),
    ]
    expect(scripts.length).toBeGreaterThan(3)
    const folder = temporaryFolder('platen-snippets')
    for (const [index, script] of scripts.entries()) {
      const file = join(folder, `${index}.mjs`)
      await writeFile(file, script)
      expect(await node('--check', file)).toBe('')
    }
    await rm(folder, { recursive: true })
  })

  it('TypeScript has the types of the contract, and loads as a plugin of an operator', async () => {
    const found = snippets('ts').filter(({ value }) => value.includes("'platen/plugin'"))
    expect(found).toHaveLength(2)
    const files = await typed(
      'plugin',
      found.map(({ value }) => value),
    )
    const { plugins, routes } = await loadExternalPlugins(files, root, { error() {} })
    expect(routes.map(({ path }) => path)).toEqual(['/one-pdf'])
    const [plugin] = plugins as readonly EnginePlugin[]
    const engine = plugin!.create({}, {} as never)
    const job = { source: new Blob(['a quiet word']), from: 'txt', to: 'txt', options: {}, deadline: 0 }
    const { value } = await engine.convert(job, new AbortController().signal)
    expect(new TextDecoder().decode(await value.arrayBuffer())).toBe('A QUIET WORD')
  })

  it('TypeScript with the client has its types, and runs against a service', async () => {
    const found = snippets('ts').filter(({ value }) => value.includes("'platen/client'"))
    expect(found.length + 2).toBe(snippets('ts').length)
    const target = await originTarget()
    const files = await typed(
      'client',
      found.map(({ value }) => value.replaceAll('http://127.0.0.1:4000', target.url)),
    )
    try {
      for (const file of files) expect(await node(file)).toBe('')
    } finally {
      await target.stop()
    }
  })
})

/** Writes snippets of TypeScript into a folder of the repository and checks their types. Returns the files. */
async function typed(name: string, texts: readonly string[]): Promise<readonly string[]> {
  const folder = join(root, '.cache/docs-snippets', name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const files = texts.map((_, at) => join(folder, `${at}.ts`))
  for (const [at, file] of files.entries()) await writeFile(file, texts[at]!)
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../../tsconfig.base.json',
      compilerOptions: { lib: ['es2024', 'esnext.array', 'esnext.typedarrays', 'webworker'] },
      include: ['*.ts'],
    }),
  )
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc')
  expect(await node(tsc, '--pretty', 'false', '-p', folder)).toBe('')
  return files
}

/** What it wrote when it failed; nothing when all went well. */
function node(...args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...args], { cwd: root }, (error, out, err) =>
      resolve(error === null ? '' : `${out}${err}`.slice(0, 2000)),
    )
  })
}
