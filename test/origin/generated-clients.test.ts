import { execFile } from 'node:child_process'
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Target } from '../contract/http/client.ts'
import { originTarget } from '../helpers/origin-target.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

/**
 * Clients that two generators make of /openapi.json: callers in `test/fixtures/generated-clients` compile against them with
 * strict TypeScript and without a cast, and get from a service what the types say.
 */
const root = new URL('../..', import.meta.url).pathname
const run = promisify(execFile)
const program = (path: string, args: readonly string[], cwd: string) =>
  run(process.execPath, [join(root, 'node_modules', path), ...args], { cwd })
const settings = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    module: 'preserve',
    target: 'esnext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: ['node'],
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  },
}

let target: Target
let folder: string
beforeAll(async () => {
  target = await originTarget({})
  folder = temporaryFolder('platen-clients')
  await cp(join(root, 'test/fixtures/generated-clients'), folder, { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const description = await (await fetch(`${target.url}/openapi.json`)).text()
  await writeFile(join(folder, 'openapi.json'), description)
  await program('openapi-typescript/bin/cli.js', ['openapi.json', '-o', 'schema.ts'], folder)
  await program('@hey-api/openapi-ts/bin/run.js', ['-i', 'openapi.json', '-o', 'client', '--silent'], folder)
})
afterAll(async () => {
  await target?.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('clients that are generated from the description', () => {
  it('compile with strict TypeScript', async () => {
    const { stdout } = await program('typescript-native/bin/tsc', ['-p', '.'], folder).catch(
      (error: { stdout: string }) => error,
    )
    expect(stdout).toBe('')
  })

  it('distinguish JSON responses from files', async () => {
    const mistakes = [
      "import createClient from 'openapi-fetch'",
      "import type { paths } from './schema.ts'",
      "import { render, renderFile } from './client/index.ts'",
      "const client = createClient<paths>({ baseUrl: '' })",
      "const call = { params: { path: { id: '1' } }, body: {} }",
      "const a: Blob | undefined = (await client.POST('/render/{id}', call)).data",
      "const b: { data: unknown } | undefined = (await client.POST('/render/{id}/file', call)).data",
      "const c: Blob | undefined = (await render({ path: { id: '1' }, body: {} })).data",
      "const d: { data: unknown } | undefined = (await renderFile({ path: { id: '1' }, body: {} })).data",
      'console.log(a, b, c, d)',
    ]
    await writeFile(join(folder, 'mistakes.ts'), mistakes.join('\n'))
    const { stdout } = await program('typescript-native/bin/tsc', ['-p', '.'], folder).catch(
      (error: { stdout: string }) => error,
    )
    await rm(join(folder, 'mistakes.ts'))
    const lines = stdout.split('\n').flatMap((line) => /^(\w+\.ts\(\d+),\d+\): error/.exec(line)?.[1] ?? [])
    expect(lines).toEqual(['mistakes.ts(6', 'mistakes.ts(7', 'mistakes.ts(8', 'mistakes.ts(9'])
  })

  for (const caller of ['fetch', 'sdk'])
    it(`receive what the types declare: ${caller}`, async () => {
      const bundle = join(folder, `${caller}.mjs`)
      await build({
        entryPoints: [join(folder, `${caller}.ts`)],
        outfile: bundle,
        bundle: true,
        platform: 'node',
        format: 'esm',
        logLevel: 'error',
      })
      const template = await readFile(join(root, 'test/fixtures/templates/letter/template.docx'), 'base64')
      const { stdout } = await run(process.execPath, [bundle, target.url, template])
      expect(JSON.parse(stdout)).toEqual({
        renderId: expect.stringMatching(/\.pdf$/),
        fetched: '%PDF-',
        file: '%PDF-',
        error: expect.stringContaining('template'),
        letters: true,
      })
    })
})
