import { Compile } from 'typebox/schema'
import { expect } from 'vitest'
import { queryFlag } from '../../../shared/api/call.ts'
import type { Answer } from './client.ts'

type Json = Readonly<Record<string, unknown>>
interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>
  readonly headers?: Json
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Json }>>>>
  readonly components: { readonly schemas: { readonly Error: Json } }
}

/** Headers of every answer, and those of the connection, which OpenAPI does not ask for. */
const always =
  /^(access-control-.*|connection|content-encoding|content-length|content-security-policy|content-type|cross-origin-resource-policy|date|keep-alive|transfer-encoding|vary|x-content-type-options|x-request-id|cache-control)$/

/**
 * Holds answers against what the service says of itself in /openapi.json: the status is listed, the body is of a
 * described type and fits its schema, no header comes that nobody was told of. Calls to addresses that are not described
 * pass: that those are 404 and 405, cases of their own say.
 */
export function createDescription(url: string) {
  let loaded: Promise<Document> | undefined
  const validators = new Map<unknown, (value: unknown) => boolean>()

  return { check }

  async function check(method: string, path: string, answer: Answer): Promise<void> {
    loaded ??= fetch(`${url}/openapi.json`).then((response) => response.json() as Promise<Document>)
    const { paths, components } = await loaded
    const responses = operationOf(paths, method, path)
    if (responses === undefined || answer.status === 405) return
    const says = `${method} ${path.slice(0, 60)}: ${answer.status} ${answer.text.slice(0, 200)}`
    const response = responses[String(answer.status)] as Response | undefined
    expect([says, response === undefined ? 'a status nobody was told of' : '']).toEqual([says, ''])
    const own = Object.keys(response?.headers ?? {})
    const unknown = [...answer.headers.keys()].filter((name) => !always.test(name) && !own.includes(name))
    expect([says, unknown]).toEqual([says, []])
    if (method === 'HEAD' || answer.text === '') return
    const [type = ''] = (answer.headers.get('content-type') ?? '').split(';')
    const { content = {} } = response ?? {}
    const described = content[type] ?? content['*/*']
    expect([says, type, described !== undefined]).toEqual([says, type, true])
    if (type !== 'application/json' || answer.headers.has('content-disposition')) return
    const schema =
      answer.status >= 400 && answer.status !== 503 ? components.schemas.Error : described!.schema
    const known = '$ref' in schema ? components.schemas.Error : schema
    if (known['format'] === 'binary') return // a file that happens to be JSON
    let fits = validators.get(known)
    if (fits === undefined) {
      const validator = Compile(known)
      fits = (value) => validator.Check(value)
      validators.set(known, fits)
    }
    expect([says, fits(answer.body) ? 'as described' : 'not as described']).toEqual([says, 'as described'])
  }
}

function operationOf(paths: Document['paths'], method: string, path: string): Json | undefined {
  const { pathname, searchParams } = new URL(path.replace(/^\/+/, '/'), 'http://x')
  const plain = pathname.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
  // The answer that is a file is described under a path of its own.
  const isFile = method === 'POST' && /^\/render\/[^/]+$/.test(plain) && queryFlag(searchParams, 'download')
  const found = isFile ? `${plain}/file` : plain
  const pieces = found.split('/')
  const literal = paths[found]
  const pattern = Object.keys(paths).find((each) => {
    const wanted = each.split('/')
    return (
      wanted.length === pieces.length &&
      wanted.every((piece, at) => piece.startsWith('{') || piece === pieces[at])
    )
  })
  const operations = literal ?? (pattern === undefined ? undefined : paths[pattern])
  return operations?.[method === 'HEAD' ? 'get' : method.toLowerCase()]?.responses
}
