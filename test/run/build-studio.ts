/**
 * Builds the template studio from `shared/studio`: a few files that both hosts serve as they are, in
 * `shared/studio/built.json`. `npm run generate` writes it.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { build, type Plugin, transform } from 'esbuild'
import type { StudioFile } from '../../shared/ports/studio.ts'

const source = new URL('../../shared/studio/', import.meta.url)
/** Browsers of 2024 and later. */
const browsers = ['chrome123', 'firefox128', 'safari17.5']

/** `import styles from './a.css'` is its text, made small. */
const stylesAsText: Plugin = {
  name: 'styles-as-text',
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => ({
      contents: await smallStyles(await readFile(path, 'utf8')),
      loader: 'text',
    }))
  },
}

async function smallStyles(text: string): Promise<string> {
  // What is written for these browsers stays: rules for older ones would not have the same colours.
  return (await transform(text, { loader: 'css', minify: true, target: 'esnext' })).code
}

async function script(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [new URL(entry, source).pathname],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    charset: 'utf8',
    legalComments: 'none',
    target: browsers,
    plugins: [stylesAsText],
  })
  return outputFiles[0]!.text
}

export async function builtStudio(): Promise<string> {
  const page = await readFile(new URL('page.html', source), 'utf8')
  const styles = await smallStyles(await readFile(new URL('page.css', source), 'utf8'))
  const texts: readonly (readonly [name: string, type: string, text: string])[] = [
    ['page.html', 'text/html; charset=utf-8', page],
    ['page.css', 'text/css; charset=utf-8', styles],
    ['page.js', 'text/javascript; charset=utf-8', await script('page.ts')],
    ['element.js', 'text/javascript; charset=utf-8', await script('element.ts')],
  ]
  const files = texts.map(([name, type, text]): [string, StudioFile] => [
    name,
    { type, etag: `"${createHash('sha256').update(text).digest('hex').slice(0, 32)}"`, text },
  ])
  return `${JSON.stringify(Object.fromEntries(files), null, 2)}\n`
}
