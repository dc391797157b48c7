import { execFile } from 'node:child_process'
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Target } from '../contract/http/client.ts'
import { originTarget } from '../helpers/origin-target.ts'
import { platen } from '../helpers/platen-cli.ts'
import { useTemporary } from '../helpers/temporary.ts'

/** The package as a stranger installs it: packed, installed in an empty project, compiled strictly and run. */

const root = new URL('../../', import.meta.url).pathname
const tsc = join(root, 'node_modules/typescript-native/bin/tsc')
const template = join(root, 'test/fixtures/templates/letter/template.docx')
const temporary = useTemporary()

const run = (cwd: string, program: string, ...args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(program, args, { cwd }, (error, out, err) =>
      resolve(error === null ? out.trim() : `${out}${err}`),
    )
  })

const program = `import { writeFile } from 'node:fs/promises'
import { Platen, RenderError } from 'platen/client'
import type { Letter } from './letter.js'

const platen = new Platen({ url: process.argv[2] ?? '' })
const person = { name: 'Ann', street: 'Main Street 1', city: 'Ulm' }
const data: Letter = {
  subject: 'Hello',
  sender: { ...person, company: 'Acme' },
  to: { ...person, salutation: 'Ms', last: 'Lee' },
  date: '2026-11-23',
  since: '2020-01-31',
  points: 17,
  steps: [{ day: '2026-12-01', what: 'call' }],
}
const document = await platen.render<Letter>(new Blob(['{d.subject}, {d.to.name}']), { data, reportName: 'a' })
console.log(document.name, await document.text())
const error: unknown = await platen.render(new Blob(['{d.a:nothing}']), { data: {} }).catch((thrown: unknown) => thrown)
if (error instanceof RenderError) console.log(error.code, error.problems[0]?.place?.tag)
await writeFile('out.txt', (await platen.render(new Blob(['a']), { data: {} })).stream)
`

describe('npm pack', () => {
  let folder = ''
  let target: Target
  beforeAll(async () => {
    target = await originTarget()
    folder = temporary()
    await mkdir(folder, { recursive: true })
    const packed = await run(folder, 'npm', 'pack', join(root, 'client'), '--silent')
    await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}')
    const npm = ['install', '--offline', '--no-audit', '--no-fund', `./${packed}`]
    expect(await run(folder, 'npm', ...npm)).toContain('added 1 package')
    await mkdir(join(folder, 'node_modules/@types'))
    for (const name of ['@types/node', 'undici-types', '@cloudflare', 'zod'])
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
    const { code, out } = await platen(folder, 'types', template, '--name', 'Letter')
    expect(code).toBe(0)
    await writeFile(join(folder, 'letter.d.ts'), out)
  })
  afterAll(() => target?.stop())

  /** What the compiler says of a program, checked with everything that it can check, the declarations too. */
  async function compiled(
    source: string,
    options: object = { types: ['node'] },
    more: readonly string[] = [],
  ): Promise<string> {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2023'],
      skipLibCheck: false,
      rootDir: '.',
      outDir: 'out',
      ...options,
    }
    await writeFile(join(folder, 'program.ts'), source)
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['program.ts', 'letter.d.ts', ...more] }),
    )
    return run(folder, process.execPath, tsc, '--pretty', 'false', '-p', '.')
  }

  it('ships JavaScript and declarations, and nothing else', async () => {
    const names = await readdir(join(folder, 'node_modules/platen'), { recursive: true })
    const files = names
      .filter((name) => name !== 'built')
      .map((name) => name.replace(/\w+(?=\.(?:js|d\.ts)$)/, '*'))
    expect([...new Set(files)].sort()).toEqual(['README.md', 'built/*.d.ts', 'built/*.js', 'package.json'])
  })

  it('compiles and runs on Node', async () => {
    expect(await compiled(program)).toBe('')
    expect(await run(folder, process.execPath, 'out/program.js', target.url)).toBe(
      'a.txt Hello, Ann\nw101 {d.a:nothing}',
    )
    expect(await run(folder, 'cat', 'out.txt')).toBe('a')
  })

  it.each([
    ['a browser', { lib: ['es2023', 'dom', 'dom.iterable'], types: [] }],
    ['a Worker', { types: ['@cloudflare/workers-types'] }],
  ])('compiles for %s', async (_name, options) => {
    const source = `import { Platen, verifyWebhook, type Template } from 'platen/client'
      const platen = new Platen({ url: 'https://documents.example' })
      export async function handle(request: Request): Promise<Response> {
        platen.notify(await verifyWebhook(request, 'whsec_'))
        const names: string[] = []
        for await (const { name } of platen.templates.list({ limit: 10 })) names.push(name)
        for await (const { bytes, error } of platen.batch('1', { items: [{ a: 1 }] })) names.push(error === undefined ? String(bytes.length) : error.message)
        const { response } = await platen.render('1', { data: { names } })
        return response
      }
      export const nameOf = ({ name }: Template): string => name`
    expect(await compiled(source, options)).toBe('')
  })

  const wrong: readonly (readonly [name: string, from: string, to: string, code: string])[] = [
    ['a field with another name', "subject: 'Hello'", "subjekt: 'Hello'", 'TS2561'],
    ['a field that is missing', 'points: 17,', '', 'TS2741'],
    ['a value of another type', 'points: 17', "points: 'many'", 'TS2322'],
    ['a wrong field of an item', "what: 'call'", "waht: 'call'", 'TS2353'],
    ['an option that does not exist', "reportName: 'a'", "raportName: 'a'", 'TS2561'],
    ['an option of another type', "reportName: 'a'", 'reportName: 1', 'TS2322'],
  ]
  it('a wrong field is an error of the compiler, in the data and in the request', async () => {
    const files = new Map(wrong.map(([, from, to], at) => [`wrong${at}.ts`, program.replace(from, to)]))
    expect([...files.values()]).not.toContain(program)
    for (const [file, source] of files) await writeFile(join(folder, file), source)
    const says = await compiled(program, undefined, [...files.keys()])
    const found = wrong.map(([name], at) => [
      name,
      new RegExp(`^wrong${at}\\.ts.*error (TS\\d+)`, 'm').exec(says)?.[1],
    ])
    expect(found).toEqual(wrong.map(([name, , , code]) => [name, code]))
    expect(says).not.toContain('program.ts')
  })
})

describe('platen types', () => {
  const types = async (text: string, ...args: readonly string[]) => {
    const folder = temporary()
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'delivery-note.html'), text)
    return platen(folder, 'types', join(folder, 'delivery-note.html'), ...args)
  }
  const html = `<p>{d.name} {d.paid:ifEQ(true):show(a)} {c.company}</p><p>{d.lines[i].price:formatN}</p><p>{d.lines[i+1].price:formatN}</p>`

  it('TypeScript: names of files become names of types; the complement has one of its own', async () => {
    const { out } = await types('<p>{d.name} {d.total:formatN} {c.company}</p>')
    expect(out.split('\n').filter((line) => /export|readonly/.test(line))).toEqual([
      'export interface DeliveryNote {',
      '  readonly name: string | number | boolean | null',
      '  readonly total: number',
      'export interface DeliveryNoteComplement {',
      '  readonly company: string | number | boolean | null',
    ])
  })

  it('JSON Schema', async () => {
    const { out } = await types('<p>{d.name}</p>', '--json-schema')
    expect(JSON.parse(out)).toMatchObject({ type: 'object', required: ['name'] })
  })

  it('Zod: the schema checks data', async () => {
    const { out } = await types(html, '--zod', '--name', 'Note')
    const folder = temporary()
    await mkdir(join(folder, 'node_modules'), { recursive: true })
    await symlink(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'))
    await writeFile(join(folder, 'note.ts'), out)
    const { Note } = (await import(/* @vite-ignore */ join(folder, 'note.ts'))) as {
      Note: { safeParse(value: unknown): { success: boolean } }
    }
    const good = { name: 'a', paid: true, lines: [{ price: 1 }] }
    const fits = (changes: object) => Note.safeParse({ ...good, ...changes }).success
    expect([fits({}), fits({ lines: [{ price: 'a' }] }), fits({ name: undefined })]).toEqual([
      true,
      false,
      false,
    ])
  })

  it.each([
    [['--name', 'no name'], 'cannot be the name of a type'],
    [['--zod', '--json-schema'], 'either --json-schema or --zod'],
  ])('%j is refused', async (args, says) => {
    const { code, err } = await types('{d.a}', ...args)
    expect([code, err.includes(says)]).toEqual([2, true])
  })
})
