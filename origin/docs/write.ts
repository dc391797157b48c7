/** Writes the pages of the documentation into the static assets of the edge: run by wrangler before `dev` and `deploy`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderDocs } from './render.ts'

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../plugins/engines/instant/assets/docs/')

export function writeDocs(): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [id, page] of Object.entries(renderDocs()))
    writeFileSync(`${folder}${id}.json`, JSON.stringify(page))
}

if (import.meta.main) writeDocs()
