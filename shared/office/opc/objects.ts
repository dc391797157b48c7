/**
 * Charts and embedded files of Office Open XML documents. Each belongs to the element that shows it and is rendered
 * together with that element, so that a chart in a loop can use the items of the loop and each copy gets its own
 * parts. Source: template language 22.3 and 24; ECMA-376-1, clauses 14.2.1 and 15.2.11; ECMA-376-2, clause 6.5.
 */

import { entryOf } from '../../entry-of.ts'
import type { OpenContext } from '../../plugin/contract.ts'
import { pushAll } from '../../push-all.ts'
import type { EmbeddedObject, EmbeddedPackage, FillPackage } from '../../template/embedded.ts'
import { renderMedia } from '../../template/media/media.ts'
import type { TemplatePackage } from '../../template/package.ts'
import { packageWriter } from '../../template/package-writer.ts'
import type { ElementToken, Token } from '../../template/scan/tokens.ts'
import { RenderScope, type ScopeKey, scopeKey } from '../../template/scope.ts'
import type { TemplatePart } from '../../template/template-part.ts'
import { cutAtAttribute, replaceAttribute, replaceElements, withAttributes } from '../../xml/elements.ts'
import { escapeAttribute, hasStructure, hasTag, hasTagAnywhere } from '../../xml/markup.ts'
import { readBook } from '../charts/book.ts'
import { afterRenderEx, beforeRenderEx, numberAddressesEx } from '../charts/chart-ex.ts'
import { afterRender, beforeRender, numberAddresses } from '../charts/chart-part.ts'
import { chartRules } from '../charts/rules.ts'
import { soundMarkup } from '../charts/sound.ts'
import { collector } from '../collect.ts'
import type { ReadFile } from '../package.ts'
import type { Additions } from './additions.ts'
import { partNow } from './copies.ts'
import { relationsOf, targetOf } from './names.ts'
import { overrideOf, partsRelatedIn, type Relationship, relationshipOf } from './relationships.ts'

/** The context for finding the embedded objects of a document. */
export interface FindObjects {
  readonly context: OpenContext
  readonly read: ReadFile
  readonly names: ReadonlySet<string>
  readonly contentTypes: string
  readonly relations: ReadonlyMap<string, string>
  readonly additions: Additions
  /** Absent: charts are included. A spreadsheet draws its own cells. */
  readonly filesOnly?: true
}

/** The charts and embedded files of a document whose tags are filled with each copy of the object. */
export interface Objects {
  /** Parts that belong to such an object and are no longer parts of the document itself. */
  readonly owned: ReadonlySet<string>
  readonly any: boolean
  bind(part: string, tokens: readonly Token[]): readonly Token[]
  /** Omits objects of which no copy is shown. Called before the additions are written. */
  finish(scope: RenderScope): void
}

/** Maximum number of embedded files of one document that are opened as templates. */
const maxEmbedded = 200

interface OpcObject extends EmbeddedObject {
  readonly id: string
  readonly part: string
  readonly names: readonly string[]
  written(scope: RenderScope): number
}

/** Opens the charts and embedded files of all parts. Files that cannot be opened are copied unchanged. */
export async function findObjects(parts: readonly TemplatePart[], source: FindObjects): Promise<Objects> {
  const byName = new Map(parts.map((part) => [part.name, part]))
  const objectsOf = new Map<string, Map<string, OpcObject>>() // part -> relationship -> object
  const owned = new Set<string>()
  let opened = 0
  const isObject =
    source.filesOnly === true ? /^(?:package|oleObject)$/ : /^(?:chart|chartEx|package|oleObject)$/
  for (const owner of parts) {
    // The workbook of a chart is opened with the chart.
    if (/\/charts\/[^/]*$/.test(owner.name)) continue
    let repeats: boolean | undefined
    for (const relation of relationsIn(owner.name, source)) {
      if (!isObject.test(relation.kind) || opened >= maxEmbedded) continue
      const isChart = Object.hasOwn(chartMarkup, relation.kind)
      const part = isChart ? byName.get(relation.target) : undefined
      if (isChart && part === undefined) continue
      opened += 1
      repeats ??= hasStructure(owner.text)
      const reference = { owner, relation, repeats }
      if (part === undefined) {
        add(owner, relation, await embeddedFile(reference, source))
        continue
      }
      const chart = { ...part, text: soundMarkup(part.text, part.name, source.context.limits) }
      const object = await chartObject(reference, chart, source, byName)
      for (const name of object?.names ?? []) owned.add(name)
      add(owner, relation, object)
    }
  }
  return {
    owned,
    any: objectsOf.size > 0,
    bind: (part, tokens) => bindAll(tokens, objectsOf.get(part)),
    finish(scope) {
      for (const partObjects of objectsOf.values()) {
        for (const { part, id, names, written: copyCount } of partObjects.values()) {
          if (copyCount(scope) === 0) source.additions.drop(scope, part, id, names)
        }
      }
    },
  }

  function add(owner: TemplatePart, relation: Relationship, object: OpcObject | undefined): void {
    if (object === undefined) return
    const partObjects = objectsOf.get(owner.name) ?? new Map<string, OpcObject>()
    objectsOf.set(owner.name, partObjects.set(relation.id, object))
  }
}

interface ObjectReference {
  readonly owner: TemplatePart
  readonly relation: Relationship
  readonly repeats: boolean
}

// ------------------------------------------------------------------------------------------------------------- charts

/** Chart markup by the kind of the relationship whose target it is. */
const chartMarkup: Readonly<
  Record<string, { before: typeof beforeRender; after: typeof afterRender; numbers: typeof numberAddresses }>
> = {
  chart: { before: beforeRender, after: afterRender, numbers: numberAddresses },
  chartEx: { before: beforeRenderEx, after: afterRenderEx, numbers: numberAddressesEx },
}

async function chartObject(
  { owner, relation, repeats }: ObjectReference,
  chart: TemplatePart,
  source: FindObjects,
  byName: ReadonlyMap<string, TemplatePart>,
): Promise<OpcObject | undefined> {
  const { context, additions } = source
  const { before, after, numbers } = entryOf(chartMarkup, relation.kind)!
  const chartRelations = relationsIn(chart.name, source)
  const data = chartRelations.find(({ kind }) => kind === 'package')
  const book = data === undefined ? undefined : await openInner(data.target, source, numbers(chart.text))
  const shapes = chartRelations.flatMap(({ kind, target }) =>
    kind === 'chartUserShapes' ? (byName.get(target) ?? []) : [],
  )
  const tagged = [chart, ...shapes].some(({ text }) => hasTag(text)) || book?.tagged === true
  if (!tagged && !repeats) return undefined
  const template = before(chart.text, book?.pack.addresses)
  const packages: EmbeddedPackage[] = [
    { format: 'docx', rules: chartRules, parts: [{ ...chart, text: template }, ...shapes] },
    ...(book === undefined ? [] : [innerOf(book.pack, data!.target)]),
  ]
  const existing = chartRelations.filter(({ target }) => source.names.has(target))
  const names = [chart.name, relationsOf(chart.name), ...existing.map(({ target }) => target)].filter(
    (name) => source.names.has(name),
  )
  const copies = copyNames(source, names)
  const encoder = new TextEncoder()
  return {
    ...reference(owner.name, relation, names),
    packages,
    written: copies.count,
    write(scope, [fillChart, fillBook]) {
      const nameOf = copies.next(scope)
      const { writer, texts } = collector()
      fillChart!(writer, scope)
      let drawnBook: Parameters<typeof afterRender>[1]
      let bytes: Uint8Array | undefined
      if (book !== undefined && fillBook !== undefined) {
        const bookScope = new RenderScope()
        bytes = filled(book.pack, fillBook, scope, bookScope)
        const { addresses } = book.pack
        if (addresses !== undefined)
          drawnBook = { addresses, scope: bookScope, book: readBook(bytes, context) }
      }
      for (const name of names) {
        if (name === data?.target && bytes !== undefined)
          additions.file(scope, nameOf(name), bytes, typeOf(name, source))
        else if (name === chart.name || texts.has(name)) {
          const text = texts.get(name) ?? template
          const finishedText = name === chart.name ? after(text, drawnBook) : text
          additions.file(scope, nameOf(name), encoder.encode(finishedText), typeOf(name, source))
        } else if (nameOf(name) !== name) {
          const copy =
            name === relationsOf(chart.name)
              ? encoder.encode(renamed(source.relations.get(chart.name) ?? '', chart.name, nameOf))
              : source.read(name)
          if (copy !== undefined) additions.file(scope, nameOf(name), copy, typeOf(name, source))
        }
      }
      return related(reference(owner.name, relation, names), relation, nameOf(chart.name), scope, additions)
    },
  }
}

// ------------------------------------------------------------------------------------------------------ files inside

async function embeddedFile(
  { owner, relation, repeats }: ObjectReference,
  source: FindObjects,
): Promise<OpcObject | undefined> {
  const { additions } = source
  const file = await openInner(relation.target, source)
  if (file === undefined || !(file.tagged || repeats)) return undefined
  const names = [relation.target]
  const copies = copyNames(source, names)
  return {
    ...reference(owner.name, relation, names),
    packages: [innerOf(file.pack, relation.target)],
    written: copies.count,
    write(scope, [fill]) {
      const name = copies.next(scope)(relation.target)
      additions.file(
        scope,
        name,
        filled(file.pack, fill!, scope, new RenderScope()),
        typeOf(relation.target, source),
      )
      return related(reference(owner.name, relation, names), relation, name, scope, additions)
    },
  }
}

interface OpenedObject {
  readonly pack: TemplatePackage
  readonly tagged: boolean
}

/** Opens an embedded file as a template; undefined for an unknown format. */
async function openInner(
  name: string,
  { context, read }: Pick<FindObjects, 'context' | 'read'>,
  numbers?: readonly string[],
): Promise<OpenedObject | undefined> {
  const bytes = context.inner === undefined ? undefined : read(name)
  const pack = bytes === undefined ? undefined : await context.inner!(name, bytes, numbers)
  return pack === undefined
    ? undefined
    : { pack, tagged: pack.parts.some(({ text }) => hasTagAnywhere(text)) }
}

/** The package of an embedded file, in the form that the compiler takes. */
export const innerOf = ({ format, rules, parts }: TemplatePackage, within: string): EmbeddedPackage => ({
  format,
  rules,
  parts,
  within,
})

/** Renders the embedded file for the current copy. */
export function filled(
  pack: TemplatePackage,
  fill: FillPackage,
  scope: RenderScope,
  packageScope: RenderScope,
): Uint8Array {
  packageScope.set(renderMedia, scope.require(renderMedia))
  const writer = pack.begin()
  packageScope.set(packageWriter, writer)
  try {
    fill(writer, packageScope)
    pack.rules.finish?.(packageScope, writer)
    return writer.finish().view!
  } catch (error) {
    writer.abandon()
    throw error
  }
}

// ------------------------------------------------------------------------------------------------------------- places

const reference = (part: string, { id }: Relationship, names: readonly string[]) => ({ part, id, names })

/** The id of the relationship from the owner to a copy. A copy of a slide already has a relationship to the sample. */
function related(
  { part, id }: ReturnType<typeof reference>,
  { type, target }: Relationship,
  copyTarget: string,
  scope: RenderScope,
  additions: Additions,
): string {
  if (copyTarget === target) return id
  const owner = partNow(scope, part)
  if (owner !== part) additions.drop(scope, owner, id, [])
  return additions.relation(scope, part, type, copyTarget)
}

/** The first copy keeps the names of the template, later copies get names of their own. */
function copyNames({ names: usedNames }: FindObjects, names: readonly string[]) {
  const copies = scopeKey<number>('copies of an embedded object')
  let separator = '_'
  const numbered = (name: string, copy: number) =>
    copy === 1 ? name : name.replace(/(\.\w+(?:\.rels)?)$/, `${separator}${copy}$1`)
  while (
    names.some((name) =>
      [...usedNames].some(
        (usedName) =>
          usedName !== name && usedName.startsWith(`${name.replace(/\.\w+(?:\.rels)?$/, '')}${separator}`),
      ),
    )
  )
    separator += '_'
  const count = (scope: RenderScope): number => scope.get(copies) ?? 0
  return {
    count,
    next(scope: RenderScope): (name: string) => string {
      const copy = count(scope) + 1
      scope.set(copies, copy)
      return (name) => numbered(name, copy)
    },
  }
}

/** Relationships of a chart with their targets under the names of a copy. */
const renamed = (relations: string, owner: string, nameOf: (name: string) => string): string =>
  replaceElements(relations, 'Relationship', (attributes, _, element) => {
    const { target, isExternal } = relationshipOf(attributes)
    if (isExternal) return undefined
    const name = escapeAttribute(`/${nameOf(targetOf(owner, target))}`)
    return withAttributes(element, replaceAttribute(attributes, 'Target', name))
  })

const typeOf = (name: string, { contentTypes }: FindObjects): string | undefined =>
  overrideOf(contentTypes, name)

const relationsIn = (part: string, { relations, names }: FindObjects): Relationship[] =>
  partsRelatedIn(relations.get(part) ?? '', part).filter(({ target }) => names.has(target))

// ------------------------------------------------------------------------------------------------------------- tokens

const showing = /(?:^|:)(?:chart|OLEObject|oleObject|oleObj|embed)$/

/** Replaces the id of the relationship to a bound object by that of the copy that is rendered there. */
function bindAll(
  tokens: readonly Token[],
  objects: ReadonlyMap<string, OpcObject> | undefined,
): readonly Token[] {
  if (objects === undefined) return tokens
  const result: Token[] = []
  let alternate = 0
  /** Keys by id of an object, so that the fallback of an mc:AlternateContent refers to the same copy. */
  const fallbackKeys = new Map<string, ScopeKey<string>>()
  for (const token of tokens) {
    if ('name' in token && token.name === 'mc:AlternateContent' && token.kind !== 'void') {
      alternate += token.kind === 'open' ? 1 : -1
      if (alternate === 0) fallbackKeys.clear()
    }
    const idAttribute =
      (token.kind === 'open' || token.kind === 'void') && showing.test(token.name)
        ? cutAtAttribute(token.raw, 'r:id')
        : undefined
    const object = idAttribute && objects.get(idAttribute.value)
    if (idAttribute === undefined || object === undefined) {
      result.push(token)
      continue
    }
    const start = idAttribute.before.length
    const fallbackKey = fallbackKeys.get(object.id)
    const key = fallbackKey ?? scopeKey<string>('relationship of an embedded object')
    if (alternate > 0) fallbackKeys.set(object.id, key)
    pushAll(
      result,
      withId(
        token as ElementToken,
        start,
        start + object.id.length,
        fallbackKey === undefined ? object : undefined,
        key,
      ),
    )
  }
  return result
}

function withId(
  { kind, name, raw, offset }: ElementToken,
  start: number,
  end: number,
  object: OpcObject | undefined,
  key: ScopeKey<string>,
): Token[] {
  const tail = raw.slice(end)
  const keyedObject: EmbeddedObject | undefined = object && {
    packages: object.packages,
    write(scope, fills) {
      const id = object.write(scope, fills)
      scope.set(key, id)
      return id
    },
  }
  const head: Token[] = [
    { kind: 'open', name, raw: raw.slice(0, start), offset },
    {
      kind: 'computed',
      offset,
      compute: (scope) => scope.get(key) ?? '',
      ...(keyedObject && { embedded: keyedObject }),
    },
  ]
  if (kind === 'open') return [...head, { kind: 'text', raw: tail, offset, markup: true }]
  return [
    ...head,
    { kind: 'text', raw: tail.replace(/\/>$/, ''), offset, markup: true },
    { kind: 'close', name, raw: '/>', offset },
  ]
}
