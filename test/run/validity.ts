/**
 * Looks at every office document that the tests make: `npm run validity`. The tests of merging run once and keep what
 * they make; each different document is checked part by part and opened by LibreOffice. `npm test` does the first for
 * all and the second for the documents of the case tables; this is the whole, some minutes long.
 */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import JSZip from 'jszip'
import { readScriptArguments } from '../helpers/command-line.ts'
import { unlessMissing } from '../helpers/programs.ts'
import { problemsOf } from '../helpers/structure.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const root = new URL('../..', import.meta.url).pathname
const suites = ['test/shared/template', 'test/shared/office', 'test/plugins/formats', 'test/examples']
const batch = 40 // documents that LibreOffice opens in one run
const batchTime = 120_000

const usage = `validity [--keep <folder>]

  --keep  the folder of documents stays, and is used as it is when it holds some`
const { keep: given } = readScriptArguments(usage, { options: { keep: { type: 'string' } } }).values
const work = temporaryFolder('platen-validity')
const folder = given ?? join(work, 'documents')
mkdirSync(folder, { recursive: true })

if (readdirSync(folder).length === 0) {
  const vitest = [join(root, 'node_modules/.bin/vitest'), 'run', '--config', 'test/vitest.node.config.ts']
  const env = { ...process.env, KEEP_OUTPUTS: folder }
  const run = spawnSync(process.execPath, [...vitest, ...suites], { cwd: root, env, encoding: 'utf8' })
  if (run.status !== 0) console.error(run.stdout.split('\n').slice(-40).join('\n'))
}
const names: string[] = []
for (const name of readdirSync(folder).sort())
  if (await isWhole(new Uint8Array(readFileSync(join(folder, name))))) names.push(name)
const problems = new Map<string, string>()
for (const name of names) {
  const found = await problemsOf(new Uint8Array(readFileSync(join(folder, name)))).catch(String)
  if (found.length > 0) problems.set(name, String(found))
}
await opened(names)
const kinds = new Map<string, number>()
for (const name of names) {
  const kind = name.split('.').at(-1)!
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
}
console.log([...kinds].map(([kind, count]) => `${count} ${kind}`).join(', '))
for (const [name, found] of problems) console.log(`${name}: ${found.slice(0, 300)}`)
console.log(`${names.length} documents, ${problems.size} with problems`)
rmSync(work, { recursive: true, force: true })
process.exitCode = problems.size === 0 && names.length > 0 ? 0 : 1

/** Some tests need no more than a part or two: no program opens what has no list of its parts. */
async function isWhole(bytes: Uint8Array): Promise<boolean> {
  const zip = await JSZip.loadAsync(bytes)
  const parts = Object.keys(zip.files)
  if (parts.includes('[Content_Types].xml'))
    return (
      parts.includes('word/_rels/document.xml.rels') ||
      !parts.some((part) => /^word\/(?!document\.xml$)[^/]*\.xml$/.test(part))
    )
  const manifest = (await zip.file('META-INF/manifest.xml')?.async('string')) ?? ''
  return ['content.xml', 'styles.xml', 'meta.xml'].every(
    (part) => !parts.includes(part) || manifest.includes(`"${part}"`),
  )
}

/** Each in one run with others; those that a run left out get one of their own. */
async function opened(all: readonly string[]): Promise<void> {
  const out = join(work, 'pdf')
  mkdirSync(out)
  const profile = `-env:UserInstallation=file://${join(work, 'profile')}`
  const open = async (some: readonly string[]) => {
    const files = some.map((name) => join(folder, name))
    const command = [profile, '--headless', '--convert-to', 'pdf', '--outdir', out, ...files]
    await promisify(execFile)('soffice', command, { timeout: batchTime }).catch(unlessMissing)
  }
  const isOpen = (name: string) => {
    const pdf = join(out, name.replace(/\.\w+$/, '.pdf'))
    return existsSync(pdf) && statSync(pdf).size > 0
  }
  for (let from = 0; from < all.length; from += batch) await open(all.slice(from, from + batch))
  for (const name of all.filter((each) => !isOpen(each))) {
    await open([name])
    if (!isOpen(name)) problems.set(name, `${problems.get(name) ?? ''} LibreOffice does not open it`.trim())
  }
}
