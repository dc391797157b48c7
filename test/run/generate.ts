/**
 * Writes every file that is made from other files of the repository:
 *
 *   npm run generate                    all of them
 *   npm run generate -- studio …        those of some generators
 *
 * `npm run check` runs it with `--check`, which writes nothing and fails when a file is not what would be written.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { conversionsText } from '../../origin/write-conversions.ts'
import { bundledFontFiles, fontFolder, staleFonts } from './build-bundled-fonts.ts'
import { builtClient, builtFolder, clientPackage, clientTypes } from './build-client.ts'
import { hyphenation, hyphenationFolder } from './build-hyphenation.ts'
import { presetShapes, stalePresetShapes } from './build-preset-shapes.ts'
import { builtStudio } from './build-studio.ts'
// @ts-expect-error: plain JavaScript
import { render } from './date-locales.mjs'
import { documentationTables } from './doc-tables.ts'
// @ts-expect-error: plain JavaScript
import { page } from './formatter-reference.mjs'
import { routeList } from './route-list.ts'

type Bytes = string | Uint8Array

interface Generator {
  /** Path from the root of the repository -> content. */
  readonly files: () => ReadonlyMap<string, Bytes> | Promise<ReadonlyMap<string, Bytes>>
  /** A folder in which every file is one of `files`: others are removed. */
  readonly folder?: string
  /** Runs only when it is named, and the check does this instead of making the files: gives the paths of stale ones. */
  readonly stale?: (read: (path: string) => Uint8Array | undefined) => readonly string[]
}

const root = new URL('../../', import.meta.url).pathname

const generators: Readonly<Record<string, Generator>> = {
  routes: { files: routeList },
  'documentation-tables': { files: documentationTables },
  'formatter-reference': {
    files: () => new Map([['shared/template/formatters/REFERENCE.md', page() as string]]),
  },
  'date-locales': { files: () => new Map([['shared/locale/data/dates.ts', render() as string]]) },
  studio: { files: async () => new Map([['shared/studio/built.json', await builtStudio()]]) },
  'origin-conversions': { files: () => new Map([['edge/origin-conversions.json', conversionsText()]]) },
  'client-types': { files: clientTypes },
  'client-package': { files: clientPackage },
  client: { files: builtClient, folder: builtFolder },
  hyphenation: { files: hyphenation, folder: hyphenationFolder },
  'preset-shapes': { files: presetShapes, stale: stalePresetShapes },
  'bundled-fonts': { files: bundledFontFiles, folder: fontFolder, stale: staleFonts },
}

const args = process.argv.slice(2)
const check = args.includes('--check')
const named = args.filter((arg) => !arg.startsWith('-'))
const unknown = named.filter((name) => generators[name] === undefined)
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Generators: ${Object.keys(generators).join(', ')}.`)
  process.exit(2)
}

for (const [name, generator] of Object.entries(generators)) {
  if (named.length > 0 ? !named.includes(name) : generator.stale !== undefined && !check) continue
  const stale = check && generator.stale !== undefined ? generator.stale(read) : await differing(generator)
  if (!check) console.log(`${name}: ${stale.length === 0 ? 'unchanged' : stale.join(' ')}`)
  else if (stale.length > 0) {
    console.log(`${stale.join(' ')}: stale. Run \`npm run generate -- ${name}\`.`)
    process.exitCode = 1
  }
}

/** The paths of files that are not what the generator makes; writes them, unless this is the check. */
async function differing({ files, folder }: Generator): Promise<string[]> {
  const made = await files()
  const changed = [...made].filter(([path, content]) => !(read(path)?.equals(Buffer.from(content)) ?? false))
  const leftOver = (
    folder === undefined || !existsSync(join(root, folder)) ? [] : readdirSync(join(root, folder))
  )
    .map((name) => `${folder}${name}`)
    .filter((path) => !made.has(path))
  if (!check) {
    for (const [path, content] of changed) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    }
    for (const path of leftOver) rmSync(join(root, path))
  }
  return [...changed.map(([path]) => path), ...leftOver]
}

function read(path: string): Buffer | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path)) : undefined
}
