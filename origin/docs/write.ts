/** Writes the pages of the documentation into the static assets of the edge: run by wrangler before `dev` and `deploy`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderDocs } from './render.ts'

const assets = join(dirname(fileURLToPath(import.meta.url)), '../../plugins/engines/instant/assets/docs')

/** Leaves pages that are as they should be: another process may write or read them at the same time. */
export function writeDocs(folder = assets): void {
  mkdirSync(folder, { recursive: true })
  const files = new Map(
    Object.entries(renderDocs()).map(([id, page]) => [`${id}.json`, JSON.stringify(page)]),
  )
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name), { force: true })
  for (const [name, text] of files) {
    const path = join(folder, name)
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
  }
}

if (import.meta.main) writeDocs()
