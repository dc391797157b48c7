import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from './contract/http/client.ts'
import { startNode } from './helpers/cluster.ts'
import { temporaryFolder } from './helpers/temporary-folder.ts'

/**
 * The recipes of docs/CONTRIBUTING.md, followed word by word in a copy of the tree: each adds the files and lines
 * below and nothing else by hand. Then the generators run, and a service of the copy uses what was added.
 */
const root = new URL('..', import.meta.url).pathname

interface Recipe {
  /** What docs/CONTRIBUTING.md says is touched, and how many files that are. */
  readonly says: string
  readonly files: number
  /** How many lines are added to files that are there. */
  readonly lines: number
  /** New files, by path. */
  readonly create: Readonly<Record<string, string>>
  /** Lines that are added to files, by path: each is put behind the line that contains `after`. */
  readonly add?: Readonly<Record<string, readonly { readonly after: string; readonly line: string }[]>>
}

const engine = (
  id: string,
  to: string,
  text: string,
) => `import { ${'defineEngine, fromBytes, ignoredOptions, noSettings'} } from 'KIT'

export default defineEngine({
  kind: 'engine',
  contract: 1,
  id: '${id}',
  title: 'Engine ${id}',
  sides: ['origin'],
  conversions: [{ from: 'txt', to: '${to}', fidelity: 'exact', cost: 1 }],
  settings: noSettings,
  options: ignoredOptions,
  create: () => ({
    async convert() {
      return { value: fromBytes(new TextEncoder().encode('${text}')), warnings: [] }
    },
  }),
})
`

const recipes = {
  'a formatter': {
    says: 'one function in `shared/template/formatters/<family>.ts`',
    files: 1,
    lines: 6,
    create: {},
    add: {
      'shared/template/formatters/text.ts': [
        {
          after: 'A value that is not text, or not a number where numbers count as text',
          line: `
/**
 * Repeats the text.
 *
 * @example "ha" {d.v:twice} => haha
 */
export const twice = value('twice', [], (v) => \`\${asText(v) ?? ''}\${asText(v) ?? ''}\`)`,
        },
      ],
    },
  },
  'an output format': {
    says: 'one file `plugins/formats/<id>/index.ts`, and one line in `plugins/formats/all.ts`',
    files: 2,
    lines: 1,
    create: {
      'plugins/formats/dos/index.ts': `/** Plain text with the line ends of MS-DOS. */
import { defineFormat } from '../../../shared/plugin/contract.ts'

export default defineFormat({
  kind: 'format',
  id: 'dos',
  family: 'text',
  extensions: ['dos'],
  mime: ['text/x-dos'],
  variantOf: {
    base: 'txt',
    rewrite: (bytes) =>
      new TextEncoder().encode(new TextDecoder().decode(bytes).replaceAll(/\\r?\\n/g, '\\r\\n')),
  },
})
`,
    },
    add: {
      'plugins/formats/all.ts': [
        { after: "from './csv/index.ts'", line: "export { default as dos } from './dos/index.ts'" },
      ],
    },
  },
  'a template format': {
    says: 'one folder `plugins/formats/<id>/`, and one line in `plugins/formats/all.ts`',
    files: 2,
    lines: 1,
    create: {
      'plugins/formats/ini/index.ts': `/** Settings in sections. */
import { defineFormat } from '../../../shared/plugin/contract.ts'
import { sniffText } from '../../../shared/plugin/sniff-text.ts'
import { textTemplate } from '../../../shared/template/text-template.ts'

export default defineFormat({
  kind: 'format',
  id: 'ini',
  family: 'text',
  extensions: ['ini'],
  mime: ['text/x-ini'],
  sniff: (source) => sniffText(source, (text) => (/^\\[\\w+\\]\\n/.test(text) ? 'sure' : 'no')),
  template: textTemplate('ini'),
})
`,
    },
    add: {
      'plugins/formats/all.ts': [
        { after: "from './idml/index.ts'", line: "export { default as ini } from './ini/index.ts'" },
      ],
    },
  },
  'an engine from outside': {
    says: 'one file that `SERVICE_PLUGINS` names',
    files: 1,
    lines: 0,
    create: { 'outside/engine.ts': engine('outside', 'md', 'made outside').replace('KIT', 'platen/plugin') },
  },
  'an engine of the product': {
    says: 'one folder `plugins/engines/<id>/`, and one line in `origin/engines.ts`',
    files: 2,
    lines: 1,
    create: {
      'plugins/engines/inside/index.ts': engine('inside', 'csv', 'made,inside').replace(
        'KIT',
        '../../../shared/plugin-kit/index.ts',
      ),
    },
    add: {
      'origin/engines.ts': [
        {
          after: "from '../plugins/engines/chromium/index.ts'",
          line: "export { default as inside } from '../plugins/engines/inside/index.ts'",
        },
      ],
    },
  },
  'a storage': {
    says: 'one file in `<host>/storage/`, one line in `origin/storage/open.ts` or `edge/services.ts`',
    files: 2,
    lines: 1,
    create: {
      'origin/storage/blobs-drive.ts': `import { fileURLToPath } from 'node:url'
import type { Blobs } from '../../shared/ports/blobs.ts'
import { openFsBlobs } from './blobs-fs.ts'

/** Keeps files on another drive: \`drive://host/path\`. */
export function openDriveBlobs(url: string): Promise<Blobs> {
  return openFsBlobs(fileURLToPath(new URL(\`file://\${new URL(url).pathname}\`)))
}
`,
    },
    add: {
      'origin/storage/open.ts': [
        {
          after: "  's3:': async (url) =>",
          line: "  'drive:': async (url) => (await import('./blobs-drive.ts')).openDriveBlobs(url),",
        },
      ],
    },
  },
  'a route': {
    says: 'one file in `shared/api/routes/` with one service call, and its case in `test/contract/http/`',
    files: 1,
    lines: 0,
    create: {
      'shared/api/routes/version.ts': `import { Type } from 'typebox'
import { json } from '../call.ts'
import type { Route } from '../route.ts'

export const versionRoute: Route = {
  method: 'GET',
  path: '/version',
  operation: 'version',
  summary: 'The version of the service.',
  scope: 'open',
  answers: [{ status: 200, description: 'It.', schema: Type.Object({ version: Type.String() }) }],
  run: async ({ settings }) => json(200, { version: settings.version }),
}
`,
    },
  },
} as const satisfies Record<string, Recipe>

let copy = ''
let service: Awaited<ReturnType<typeof startNode>>
let client: ReturnType<typeof createClient>

beforeAll(async () => {
  copy = temporaryFolder('platen-recipes')
  for (const name of [
    'shared',
    'plugins',
    'origin',
    'edge',
    'docs',
    'test/run',
    'test/helpers',
    'test/cases/language',
    'package.json',
  ])
    await cp(join(root, name), join(copy, name), { recursive: true })
  for (const name of ['tsconfig.base.json', 'README.md']) await cp(join(root, name), join(copy, name))
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const recipe of Object.values<Recipe>(recipes)) await follow(recipe)
  run('test/run/generate.ts', 'routes', 'formatter-reference', 'origin-conversions')
  service = await startNode(
    {
      SERVICE_WORKDIR: join(copy, 'work'),
      SERVICE_PLUGINS: join(copy, 'outside/engine.ts'),
      SERVICE_BLOBS_URL: `drive://here${join(copy, 'drive')}`,
      SERVICE_MERGE_WORKERS: '1',
    },
    join(copy, 'origin/server.ts'),
  )
  client = createClient(service.url, {}, [service.url], false)
})
afterAll(async () => {
  await service?.kill()
  await rm(copy, { recursive: true, force: true })
})

/** Makes the files and lines of a recipe in the copy. */
async function follow({ create, add = {} }: Recipe): Promise<void> {
  for (const [path, text] of Object.entries(create)) {
    await mkdir(dirname(join(copy, path)), { recursive: true })
    await writeFile(join(copy, path), text, { flag: 'wx' })
  }
  for (const [path, lines] of Object.entries(add)) {
    let text = await readFile(join(copy, path), 'utf8')
    for (const { after, line } of lines) {
      const [found, ...others] = text.split('\n').filter((each) => each.includes(after))
      expect([path, after, found === undefined, others]).toEqual([path, after, false, []])
      text = text.replace(`${found}\n`, `${found}\n${line}\n`)
    }
    await writeFile(join(copy, path), text)
  }
}

function run(...args: readonly string[]): void {
  execFileSync(process.execPath, [...args], { cwd: copy, stdio: 'pipe' })
}

async function render(template: string, more: object = {}): Promise<string> {
  const body = { template: Buffer.from(template).toString('base64'), data: { v: 'ha' }, ...more }
  return (await client.post('/render/template?download=true', body)).text
}

/** That what a recipe added works, in the service of the copy. */
const works: Readonly<Record<keyof typeof recipes, () => Promise<void>>> = {
  'a formatter': async () => {
    expect(await render('{d.v:twice}')).toBe('haha')
    expect(await readFile(join(copy, 'shared/template/formatters/REFERENCE.md'), 'utf8')).toContain(
      '### twice',
    )
  },
  'an output format': async () => {
    expect(await render('a\nb', { convertTo: 'dos' })).toBe('a\r\nb')
  },
  'a template format': async () => {
    const out = await client.post('/render/template?download=true', {
      template: Buffer.from('[who]\nname={d.v}').toString('base64'),
      data: { v: 'ha' },
    })
    expect([out.headers.get('content-type'), out.text]).toEqual([
      expect.stringContaining('text/x-ini'),
      '[who]\nname=ha',
    ])
  },
  'an engine from outside': async () => {
    expect(await render('text', { convertTo: 'md' })).toBe('made outside')
  },
  'an engine of the product': async () => {
    expect(await render('text', { convertTo: 'csv' })).toBe('made,inside')
    expect(await readFile(join(copy, 'edge/origin-conversions.json'), 'utf8')).toContain(
      '{"from":"txt","to":"csv","fidelity":"exact"',
    )
  },
  'a storage': async () => {
    await client.hashed('kept on the drive')
    expect(await textsBelow(join(copy, 'drive'))).toContain('kept on the drive')
  },
  'a route': async () => {
    expect((await client.get('/version')).body).toEqual({ version: expect.any(String) })
    const { paths } = (await client.get('/openapi.json')).body
    expect(paths['/version'].get.operationId).toBe('version')
  },
}

async function textsBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))
}

describe('a recipe of docs/CONTRIBUTING.md', () => {
  for (const [name, recipe] of Object.entries<Recipe>(recipes)) {
    it(`${name}: takes hand-made files: ${recipe.files}, lines in others: ${recipe.lines}, and works`, async () => {
      const lines = Object.values(recipe.add ?? {}).flatMap((added) =>
        added.flatMap(({ line }) => line.trim().split('\n')),
      )
      expect(lines).toHaveLength(recipe.lines)
      const files = [...Object.keys(recipe.create), ...Object.keys(recipe.add ?? {})]
      expect(files).toHaveLength(recipe.files)
      const page = await readFile(join(root, 'docs/CONTRIBUTING.md'), 'utf8')
      expect(page).toContain(`| ${name} | ${recipe.says}`)
      await works[name as keyof typeof recipes]()
    })
  }

  it('type-checks, all of them together', async () => {
    const project = {
      extends: './tsconfig.base.json',
      compilerOptions: {
        types: ['node'],
        lib: ['es2024', 'esnext.array', 'esnext.collection', 'esnext.iterator', 'esnext.typedarrays'],
      },
      files: Object.values<Recipe>(recipes).flatMap(({ create, add = {} }) => [
        ...Object.keys(create),
        ...Object.keys(add),
      ]),
    }
    await writeFile(join(copy, 'tsconfig.json'), JSON.stringify(project))
    expect(() => run('node_modules/typescript-native/bin/tsc', '--pretty', 'false', '-p', '.')).not.toThrow()
  })
})
