/**
 * Charts and documents embedded in OpenDocument files. Each is a folder of the package and belongs to the frame that
 * shows it: it is rendered together with the frame, and a copy of the frame gets a folder of its own. The preview
 * picture is omitted, so that the office program draws the object again. Source: template language 22.3 and 24; ODF
 * 1.3 part 3, clause 10.4.6, part 2, clause 3.
 */

import JSZip from 'jszip'
import { entryOf } from '../entry-of.ts'
import type { OpenContext } from '../plugin/contract.ts'
import { pushAll } from '../push-all.ts'
import type { EmbeddedObject, EmbeddedPackage } from '../template/embedded.ts'
import { closeOf } from '../template/media/tokens.ts'
import type { TemplatePackage } from '../template/package.ts'
import type { ElementToken, Token } from '../template/scan/tokens.ts'
import { RenderScope, scopeKey } from '../template/scope.ts'
import type { TemplatePart } from '../template/template-part.ts'
import { attributeOf, cutAtAttribute, tagsIn } from '../xml/elements.ts'
import { hasStructure, hasTag } from '../xml/markup.ts'
import { afterOdfRender, beforeOdfRender, odfChartRules } from './charts/odf-chart.ts'
import { soundMarkup } from './charts/sound.ts'
import { collector } from './collect.ts'
import type { OdfAdditions } from './odf-pictures.ts'
import { filled, innerOf } from './opc/objects.ts'
import type { ReadFile } from './package.ts'
import { openZip } from './zip.ts'

/** The input of the search for the objects of a document. */
export interface FindOdfObjects {
  readonly context: OpenContext
  readonly read: ReadFile
  readonly names: ReadonlySet<string>
  readonly manifest: string
  readonly additions: OdfAdditions
  /** Spreadsheets: addresses of a chart that follow the cells of the document. */
  readonly follow?: (tokens: readonly Token[]) => readonly Token[]
}

/** The objects of a document whose tags are filled with each copy of the object. */
export interface OdfObjects {
  /** Entries that belong to such an object and are no longer parts of the document. */
  readonly owned: ReadonlySet<string>
  /** Inserts a computed token at each position where an object of a part is written. */
  bind(part: string, tokens: readonly Token[]): readonly Token[]
  finish(scope: RenderScope): void
}

interface OdfObject extends EmbeddedObject {
  readonly folder: string // 'Object 1'
  readonly names: readonly string[]
  readonly written: (scope: RenderScope) => boolean
}

/** Further objects are copied unchanged, with their tags. */
const maxObjects = 200
/** Source: ODF 1.3 part 3, appendix C. */
const openDocumentType = /^application\/vnd\.oasis\.opendocument\.(\w+)$/
const formats: Readonly<Record<string, string>> = { spreadsheet: 'ods', text: 'odt', presentation: 'odp' }

/** Opens the objects that contain tags. Objects that cannot be opened are copied unchanged. */
export async function findOdfObjects(
  parts: readonly TemplatePart[],
  source: FindOdfObjects,
): Promise<OdfObjects> {
  const owners = parts.filter(({ name }) => /^(?:content|styles)\.xml$/.test(name))
  const kinds = new Map<string, string>()
  for (const tag of tagsIn(source.manifest, 'manifest:file-entry')) {
    const path = attributeOf(tag, 'manifest:full-path') ?? ''
    const kind = openDocumentType.exec(attributeOf(tag, 'manifest:media-type') ?? '')?.[1]
    if (path.length > 1 && path.endsWith('/') && kind !== undefined) kinds.set(path.slice(0, -1), kind)
  }
  const moves = kinds.size > 0 && owners.some(({ text }) => hasStructure(text))
  const objects = new Map<string, OdfObject>()
  for (const [folder, kind] of kinds) {
    if (objects.size >= maxObjects) break
    const names = [...source.names].filter((name) => name.startsWith(`${folder}/`) && !name.endsWith('/'))
    const folderParts = parts.filter(({ name }) => name.startsWith(`${folder}/`))
    const tagged = folderParts.some(({ text }) => hasTag(text))
    if (!folderParts.some(({ name }) => name === `${folder}/content.xml`)) continue
    // An object without tags, in a document without loops, is copied unchanged.
    if (!tagged && !moves) continue
    const object =
      kind === 'chart'
        ? chartFolder(folder, names, folderParts, source)
        : await documentFolder(folder, names, entryOf(formats, kind), source)
    if (object !== undefined) objects.set(folder, object)
  }
  return {
    owned: new Set([...objects.values()].flatMap(({ names }) => names)),
    bind: (part, tokens) => (/^(?:content|styles)\.xml$/.test(part) ? bindAll(tokens, objects) : tokens),
    finish(scope) {
      for (const { folder, names, written: isWritten } of objects.values()) {
        source.additions.drop(scope, [`ObjectReplacements/${folder}`])
        if (!isWritten(scope)) source.additions.drop(scope, [...names, `${folder}/`])
      }
    },
  }
}

/** Counts the copies of a folder and names them: 'Object 1', 'Object 1_2', 'Object 1_3'. */
function copiesOf(folder: string, { names }: FindOdfObjects) {
  const key = scopeKey<number>(`copies of ${folder}`)
  let separator = '_'
  while ([...names].some((name) => name.startsWith(`${folder}${separator}`))) separator += '_'
  return {
    written: (scope: RenderScope) => scope.has(key),
    next(scope: RenderScope): string {
      const copy = (scope.get(key) ?? 0) + 1
      scope.set(key, copy)
      return copy === 1 ? folder : `${folder}${separator}${copy}`
    },
  }
}

function chartFolder(
  folder: string,
  names: readonly string[],
  parts: readonly TemplatePart[],
  source: FindOdfObjects,
): OdfObject {
  const { additions, follow } = source
  const copies = copiesOf(folder, source)
  const isContent = (name: string) => name === `${folder}/content.xml`
  const { limits } = source.context
  const templateParts = parts.map((part) =>
    isContent(part.name)
      ? { ...part, text: beforeOdfRender(soundMarkup(part.text, part.name, limits), part.name) }
      : part,
  )
  const texts = new Map(templateParts.map(({ name, text }) => [name, text]))
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
    packages: [{ format: 'odt', rules, parts: templateParts }],
    written: copies.written,
    write(scope, [fill]) {
      const copyFolder = copies.next(scope)
      const { writer, texts: renderedTexts } = collector()
      fill!(writer, scope)
      const encoder = new TextEncoder()
      if (copyFolder !== folder) additions.folder(scope, folder, copyFolder)
      for (const name of names) {
        const text = renderedTexts.get(name) ?? (isContent(name) ? texts.get(name) : undefined)
        const path = copyFolder + name.slice(folder.length)
        if (text !== undefined) {
          const bytes = encoder.encode(isContent(name) ? afterOdfRender(text) : text)
          additions.file(scope, path, bytes)
        } else if (copyFolder !== folder) {
          const bytes = source.read(name)
          if (bytes !== undefined) additions.file(scope, path, bytes)
        }
      }
      return copyFolder
    },
  }
}

/** An embedded document is packed as a file, opened as a template of its format, and unpacked again when it is written. */
async function documentFolder(
  folder: string,
  names: readonly string[],
  format: string | undefined,
  source: FindOdfObjects,
): Promise<OdfObject | undefined> {
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
      const copyFolder = copies.next(scope)
      const bytes = filled(pack, fill!, scope, new RenderScope())
      const archive = openZip(bytes, { ...context, format: 'odt' })
      if (copyFolder !== folder) additions.folder(scope, folder, copyFolder)
      for (const entry of archive.entries)
        additions.file(scope, `${copyFolder}/${entry.name}`, archive.read(entry))
      return copyFolder
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
  // This happens once for each template, not for each render, so a general-purpose library is fast enough.
  const archive = new JSZip()
  for (const name of names) {
    const bytes = read(name)
    if (bytes !== undefined)
      archive.file(name.slice(folder.length + 1), bytes, { createFolders: false, date: noDate })
  }
  return context.inner(`${folder}.${format}`, await archive.generateAsync({ type: 'uint8array' }))
}

/** A fixed date makes the package reproducible. */
const noDate = new Date(Date.UTC(1980, 0, 1))

// ------------------------------------------------------------------------------------------------------------- tokens

/** Makes the frames of bound objects refer to the folders of their copies, and removes their preview pictures. */
function bindAll(tokens: readonly Token[], objects: ReadonlyMap<string, OdfObject>): readonly Token[] {
  if (objects.size === 0) return tokens
  const result: Token[] = []
  const bound: boolean[] = [] // whether each enclosing frame is bound
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (token === undefined) break
    if ('name' in token && token.name === 'draw:frame') {
      if (token.kind === 'open') bound.push(false)
      else if (token.kind === 'close') bound.pop()
    }
    const isElement = token.kind === 'open' || token.kind === 'void'
    if (isElement && token.name === 'draw:image' && bound.at(-1) === true) {
      if (token.kind === 'open') index = closeOf(tokens, index)
      continue
    }
    const href =
      isElement && token.name === 'draw:object' ? cutAtAttribute(token.raw, 'xlink:href') : undefined
    const fromHere = href?.value.startsWith('./') === true ? 2 : 0
    const object = href && objects.get(href.value.slice(fromHere))
    if (href === undefined || object === undefined) {
      result.push(token)
      continue
    }
    if (bound.length > 0) bound[bound.length - 1] = true
    const start = href.before.length + fromHere
    pushAll(result, withFolder(token as ElementToken, start, start + object.folder.length, object))
  }
  return result
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
