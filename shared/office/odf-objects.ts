/**
 * Charts and documents inside OpenDocument files. Each lives in a folder of the package and belongs to the frame that
 * shows it: it is filled there, a copy of the frame gets a folder of its own, and the picture that showed the sample is
 * left out, so that the office program draws the object anew. Source: template language 22.3 and 24; ODF 1.3 part 3,
 * clause 10.4.6, part 2, clause 3.
 */

import type { OpenContext } from '../plugin/contract.ts'
import type { EmbeddedObject, EmbeddedPackage } from '../template/embedded.ts'
import { closeOf } from '../template/media/tokens.ts'
import type { TemplatePackage, TemplatePart } from '../template/package.ts'
import type { ElementToken, Token } from '../template/scan/tokens.ts'
import { RenderScope, scopeKey } from '../template/scope.ts'
import { afterOdfRender, beforeOdfRender, odfChartRules } from './charts/odf-chart.ts'
import { soundMarkup } from './charts/sound.ts'
import { collector } from './collect.ts'
import { hasStructure, hasTag } from './markup.ts'
import type { OdfAdditions } from './odf-pictures.ts'
import { filled, innerOf } from './opc/objects.ts'
import type { ReadFile } from './package.ts'
import { openZip } from './zip.ts'
import { writeZip } from './zip-writer.ts'

export interface FindOdfObjects {
  readonly context: OpenContext
  readonly read: ReadFile
  readonly names: ReadonlySet<string>
  readonly manifest: string
  readonly additions: OdfAdditions
  /** Spreadsheets: addresses of a chart that follow the cells of the document. */
  readonly follow?: (tokens: readonly Token[]) => readonly Token[]
}

export interface OdfObjects {
  readonly owned: ReadonlySet<string>
  bind(part: string, tokens: readonly Token[]): readonly Token[]
  finish(scope: RenderScope): void
}

interface Found extends EmbeddedObject {
  readonly folder: string // 'Object 1'
  readonly names: readonly string[]
  readonly written: (scope: RenderScope) => boolean
}

const objectsAtMost = 200
const formats: Readonly<Record<string, string>> = { spreadsheet: 'ods', text: 'odt', presentation: 'odp' }

export async function findOdfObjects(
  parts: readonly TemplatePart[],
  source: FindOdfObjects,
): Promise<OdfObjects> {
  const owners = parts.filter(({ name }) => /^(?:content|styles)\.xml$/.test(name))
  const kinds = new Map<string, string>()
  for (const [element] of source.manifest.matchAll(/<(?:\w+:)?file-entry\b[^<>]*>/g)) {
    const folder = /\s(?:\w+:)?full-path="([^"]+)\/"/.exec(element)?.[1]
    const kind = /\s(?:\w+:)?media-type="application\/vnd\.oasis\.opendocument\.(\w+)"/.exec(element)?.[1]
    if (folder !== undefined && kind !== undefined) kinds.set(folder, kind)
  }
  const moves = kinds.size > 0 && owners.some(({ text }) => hasStructure(text))
  const found = new Map<string, Found>()
  for (const [folder, kind] of kinds) {
    if (found.size >= objectsAtMost) break
    const names = [...source.names].filter((name) => name.startsWith(`${folder}/`) && !name.endsWith('/'))
    const own = parts.filter(({ name }) => name.startsWith(`${folder}/`))
    const tagged = own.some(({ text }) => hasTag(text))
    if (!own.some(({ name }) => name === `${folder}/content.xml`)) continue
    // Nothing of it changes, and no copy of it is made.
    if (!tagged && !moves) continue
    const made =
      kind === 'chart'
        ? chartFolder(folder, names, own, source)
        : await documentFolder(folder, names, formats[kind], source)
    if (made !== undefined) found.set(folder, made)
  }
  return {
    owned: new Set([...found.values()].flatMap(({ names }) => names)),
    bind: (part, tokens) => (/^(?:content|styles)\.xml$/.test(part) ? bindAll(tokens, found) : tokens),
    finish(scope) {
      for (const { folder, names, written } of found.values()) {
        source.additions.drop(scope, [`ObjectReplacements/${folder}`])
        if (!written(scope)) source.additions.drop(scope, [...names, `${folder}/`])
      }
    },
  }
}

/** Names for the copies of a folder, and which copy is written next. */
function copiesOf(folder: string, { names }: FindOdfObjects) {
  const key = scopeKey<number>(`copies of ${folder}`)
  let mark = '_'
  while ([...names].some((name) => name.startsWith(`${folder}${mark}`))) mark += '_'
  return {
    written: (scope: RenderScope) => scope.has(key),
    next(scope: RenderScope): string {
      const copy = (scope.get(key) ?? 0) + 1
      scope.set(key, copy)
      return copy === 1 ? folder : `${folder}${mark}${copy}`
    },
  }
}

function chartFolder(
  folder: string,
  names: readonly string[],
  parts: readonly TemplatePart[],
  source: FindOdfObjects,
): Found {
  const { additions, follow } = source
  const copies = copiesOf(folder, source)
  const isContent = (name: string) => name === `${folder}/content.xml`
  const { limits } = source.context
  const own = parts.map((part) =>
    isContent(part.name)
      ? { ...part, text: beforeOdfRender(soundMarkup(part.text, part.name, limits), part.name) }
      : part,
  )
  const texts = new Map(own.map(({ name, text }) => [name, text]))
  const rules: EmbeddedPackage['rules'] = {
    ...odfChartRules,
    prepare: (part, tokens) => {
      const prepared = odfChartRules.prepare!(part, tokens)
      return follow === undefined ? prepared : follow(prepared)
    },
  }
  return {
    folder,
    names,
    packages: [{ format: 'odt', rules, parts: own }],
    written: copies.written,
    write(scope, [fill]) {
      const now = copies.next(scope)
      const { writer, texts: done } = collector()
      fill!(writer, scope)
      const encoder = new TextEncoder()
      if (now !== folder) additions.folder(scope, folder, now)
      for (const name of names) {
        const text = done.get(name) ?? (isContent(name) ? texts.get(name) : undefined)
        const path = now + name.slice(folder.length)
        if (text !== undefined) {
          const bytes = encoder.encode(isContent(name) ? afterOdfRender(text) : text)
          additions.file(scope, path, bytes)
        } else if (now !== folder) {
          const bytes = source.read(name)
          if (bytes !== undefined) additions.file(scope, path, bytes)
        }
      }
      return now
    },
  }
}

/** A document inside is made a file of its own, opened as such, and put back. */
async function documentFolder(
  folder: string,
  names: readonly string[],
  format: string | undefined,
  source: FindOdfObjects,
): Promise<Found | undefined> {
  const { context, additions } = source
  const pack = format === undefined ? undefined : await openFolder(folder, names, format, source)
  if (pack === undefined) return undefined
  const copies = copiesOf(folder, source)
  return {
    folder,
    names,
    packages: [innerOf(pack, folder)],
    written: copies.written,
    write(scope, [fill]) {
      const now = copies.next(scope)
      const bytes = filled(pack, fill!, scope, new RenderScope())
      const archive = openZip(bytes, { ...context, format: 'odt' })
      if (now !== folder) additions.folder(scope, folder, now)
      for (const entry of archive.entries) additions.file(scope, `${now}/${entry.name}`, archive.read(entry))
      return now
    },
  }
}

async function openFolder(
  folder: string,
  names: readonly string[],
  format: string,
  { context, read }: FindOdfObjects,
): Promise<TemplatePackage | undefined> {
  if (context.inner === undefined) return undefined
  const entries = names.flatMap((name) => {
    const bytes = read(name)
    if (bytes === undefined) return []
    const crc = context.codec.crc32(bytes)
    const own = name.slice(folder.length + 1)
    return [
      {
        name: own,
        method: 0 as const,
        crc,
        size: bytes.length,
        chunks: [bytes],
        dosTime: 0x00210000,
        attributes: 0,
      },
    ]
  })
  return context.inner(`${folder}.${format}`, writeZip(entries))
}

// ------------------------------------------------------------------------------------------------------------- tokens

/** The frame of a bound object names the folder of its copy; the picture that stood in for it goes. */
function bindAll(tokens: readonly Token[], objects: ReadonlyMap<string, Found>): readonly Token[] {
  if (objects.size === 0) return tokens
  const out: Token[] = []
  const bound: boolean[] = [] // of the frames around
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!
    if ('name' in token && token.name === 'draw:frame') {
      if (token.kind === 'open') bound.push(false)
      else if (token.kind === 'close') bound.pop()
    }
    const isElement = token.kind === 'open' || token.kind === 'void'
    if (isElement && token.name === 'draw:image' && bound.at(-1) === true) {
      if (token.kind === 'open') at = closeOf(tokens, at)
      continue
    }
    const found =
      isElement && token.name === 'draw:object' ? /(\sxlink:href=")((?:\.\/)?)([^"]*)/.exec(token.raw) : null
    const object = found === null ? undefined : objects.get(found[3]!)
    if (found === null || object === undefined) {
      out.push(token)
      continue
    }
    if (bound.length > 0) bound[bound.length - 1] = true
    const start = found.index + found[1]!.length + found[2]!.length
    out.push(...withFolder(token as ElementToken, start, start + object.folder.length, object))
  }
  return out
}

function withFolder(
  { kind, name, raw, offset }: ElementToken,
  start: number,
  end: number,
  object: EmbeddedObject,
): Token[] {
  const tail = raw.slice(end)
  const head: Token[] = [
    { kind: 'open', name, raw: raw.slice(0, start), offset },
    { kind: 'computed', offset, compute: () => '', embedded: object },
  ]
  if (kind === 'open') return [...head, { kind: 'text', raw: tail, offset, markup: true }]
  return [
    ...head,
    { kind: 'text', raw: tail.replace(/\/>$/, ''), offset, markup: true },
    { kind: 'close', name, raw: '/>', offset },
  ]
}
