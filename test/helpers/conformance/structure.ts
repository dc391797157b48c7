/** A PDF as qpdf reads it: a second pair of eyes, so that our own reader does not judge our own writer. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from '../run-program.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** Names begin with '/', strings with 'u:' or 'b:', references are '3 0 R'. */
export type Value = null | boolean | number | string | readonly Value[] | Dict
export type Dict = { readonly [key: string]: Value }

export interface Thing {
  readonly id: string // '3 0 R'
  readonly value: Value // of streams: their dictionary
  /** Content of a stream as far as qpdf unpacks it: all but pictures of their own kinds. */
  readonly data?: Uint8Array
}

export interface Structure {
  readonly bytes: Uint8Array
  /** One character a byte. */
  readonly raw: string
  readonly things: ReadonlyMap<string, Thing>
  readonly trailer: Dict
  readonly catalog: Dict
  readonly pages: readonly Page[]
  resolve(value: Value | undefined): Value
  dict(value: Value | undefined): Dict | undefined
  array(value: Value | undefined): readonly Value[]
  stream(value: Value | undefined): Thing | undefined
}

export interface Page {
  readonly id: string
  readonly dict: Dict
  readonly resources: Dict
}

const folder = temporaryFolder('conformance')
let count = 0

export function isDict(value: Value | undefined): value is Dict {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Text of a string, undefined for anything else. */
export function textOf(value: Value | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  if (value.startsWith('u:')) return value.slice(2)
  return value.startsWith('b:') ? Buffer.from(value.slice(2), 'hex').toString('latin1') : undefined
}

export function readStructure(bytes: Uint8Array): Structure {
  const path = join(folder, `${++count}.pdf`)
  writeFileSync(path, bytes)
  const args = ['--json=2', '--json-key=qpdf', '--json-stream-data=inline', '--decode-level=generalized']
  const json = runProgram('qpdf', [...args, '--warning-exit-0', path])
  rmSync(path)
  type Item = { value?: Value; stream?: { dict: Dict; data: string } }
  const [, objects] = (JSON.parse(json.toString()) as { qpdf: [unknown, Record<string, Item>] }).qpdf
  const things = new Map<string, Thing>()
  for (const [key, { value = null, stream }] of Object.entries(objects)) {
    const id = key.replace(/^obj:/, '')
    if (stream === undefined) things.set(id, { id, value })
    else things.set(id, { id, value: stream.dict, data: Buffer.from(stream.data, 'base64') })
  }
  const resolve = (value: Value | undefined): Value => {
    let found = value ?? null
    for (let hops = 0; hops < 20 && typeof found === 'string' && /^\d+ \d+ R$/.test(found); hops++)
      found = things.get(found)?.value ?? null
    return found
  }
  const dict = (value: Value | undefined) => {
    const found = resolve(value)
    return isDict(found) ? found : undefined
  }
  const array = (value: Value | undefined) => {
    const found = resolve(value)
    return Array.isArray(found) ? (found as readonly Value[]) : []
  }
  const trailer = dict(things.get('trailer')?.value) ?? {}
  const catalog = dict(trailer['/Root']) ?? {}
  return {
    bytes,
    raw: Buffer.from(bytes).toString('latin1'),
    things,
    trailer,
    catalog,
    pages: pagesBelow(catalog['/Pages'], { dict, array }),
    resolve,
    dict,
    array,
    stream(value) {
      const thing = typeof value === 'string' ? things.get(value) : undefined
      return thing?.data === undefined ? undefined : thing
    },
  }
}

function pagesBelow(
  root: Value | undefined,
  { dict, array }: Pick<Structure, 'dict' | 'array'>,
): readonly Page[] {
  const found: Page[] = []
  const walk = (node: Value | undefined, inherited: Dict, depth: number) => {
    const here = dict(node)
    if (here === undefined || depth > 50) return
    const resources = dict(here['/Resources']) ?? inherited
    if (here['/Kids'] === undefined) found.push({ id: String(node), dict: here, resources })
    else for (const kid of array(here['/Kids'])) walk(kid, resources, depth + 1)
  }
  walk(root, {}, 0)
  return found
}
