/** Writes the pages of the documentation into the static assets of the edge: run by wrangler before `dev` and `deploy`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { renderDocs } from './render.ts'

const folder = new URL('../../plugins/engines/instant/assets/docs/', import.meta.url)

export function writeDocs(): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [id, page] of Object.entries(renderDocs()))
    writeFileSync(new URL(`${id}.json`, folder), JSON.stringify(page))
}

if (import.meta.main) writeDocs()
