/**
 * Charts and embedded files of Office Open XML documents: each belongs to the place that shows it and is filled there,
 * so that a chart in a loop sees its items and each copy gets parts of its own. Source: template language 22.3 and 24;
 * ECMA-376-1, clauses 14.2.1 and 15.2.11; ECMA-376-2, clause 6.5.
 */

import type { OpenContext } from '../../plugin/contract.ts'
import type { EmbeddedObject, EmbeddedPackage, FillPackage } from '../../template/embedded.ts'
import { renderMedia } from '../../template/media/media.ts'
import { packageWriter, type TemplatePackage, type TemplatePart } from '../../template/package.ts'
import type { ElementToken, Token } from '../../template/scan/tokens.ts'
import { RenderScope, type ScopeKey, scopeKey } from '../../template/scope.ts'
import { readBook } from '../charts/book.ts'
import { afterRenderEx, beforeRenderEx, numberAddressesEx } from '../charts/chart-ex.ts'
import { afterRender, beforeRender, numberAddresses } from '../charts/chart-part.ts'
import { chartRules } from '../charts/rules.ts'
import { soundMarkup } from '../charts/sound.ts'
import { collector } from '../collect.ts'
import { hasStructure, hasTag, hasTagAnywhere } from '../markup.ts'
import type { ReadFile } from '../package.ts'
import type { Additions } from './additions.ts'
import { partNow } from './copies.ts'
import { relationsOf, targetOf } from './names.ts'

export interface FindObjects {
  readonly context: OpenContext
  readonly read: ReadFile
  readonly names: ReadonlySet<string>
  readonly contentTypes: string
  readonly relations: ReadonlyMap<string, string>
  readonly additions: Additions
  /** Absent: charts too. A spreadsheet draws its own cells. */
  readonly filesOnly?: true
}

export interface Objects {
  /** Parts that belong to a place; they are no parts of the document's own any more. */
  readonly owned: ReadonlySet<string>
  readonly any: boolean
  bind(part: string, tokens: readonly Token[]): readonly Token[]
  /** Called before the additions are written: what no copy shows is left out. */
  finish(scope: RenderScope): void
}

/** Opened files inside one document. */
const embeddedAtMost = 200

interface Relation {
  readonly id: string
  readonly kind: string // the last word of its type
  readonly type: string
  readonly target: string // full name of a part
}

interface Found extends EmbeddedObject {
  readonly id: string
  readonly part: string
  readonly names: readonly string[]
  written(scope: RenderScope): number
}

export async function findObjects(parts: readonly TemplatePart[], source: FindObjects): Promise<Objects> {
  const byName = new Map(parts.map((part) => [part.name, part]))
  const found = new Map<string, Map<string, Found>>() // part -> relationship -> object
  const owned = new Set<string>()
  let opened = 0
  for (const owner of parts) {
    let repeats: boolean | undefined
    for (const relation of relationsIn(owner.name, source)) {
      const wanted =
        source.filesOnly === true ? /^(?:package|oleObject)$/ : /^(?:chart|chartEx|package|oleObject)$/
      if (!wanted.test(relation.kind) || opened >= embeddedAtMost) continue
      if (/\/charts\/[^/]*$/.test(owner.name)) continue
      const isChart = Object.hasOwn(chartMarkup, relation.kind)
      const part = isChart ? byName.get(relation.target) : undefined
      if (isChart && part === undefined) continue
      const chart = part && { ...part, text: soundMarkup(part.text, part.name, source.context.limits) }
      opened += 1
      repeats ??= hasStructure(owner.text)
      const place = { owner, relation, repeats }
      const object =
        chart === undefined
          ? await embeddedFile(place, source)
          : await chartObject(place, chart, source, byName)
      if (object === undefined) continue
      if (chart !== undefined) for (const name of object.names) owned.add(name)
      const own = found.get(owner.name) ?? new Map<string, Found>()
      found.set(owner.name, own.set(relation.id, object))
    }
  }
  return {
    owned,
    any: found.size > 0,
    bind: (part, tokens) => bindAll(tokens, found.get(part)),
    finish(scope) {
      for (const own of found.values()) {
        for (const { part, id, names, written } of own.values()) {
          if (written(scope) === 0) source.additions.drop(scope, part, id, names)
        }
      }
    },
  }
}

interface Place {
  readonly owner: TemplatePart
  readonly relation: Relation
  readonly repeats: boolean
}

// ------------------------------------------------------------------------------------------------------------- charts

/** By the kind of relationship that leads to it. */
const chartMarkup: Readonly<
  Record<string, { before: typeof beforeRender; after: typeof afterRender; numbers: typeof numberAddresses }>
> = {
  chart: { before: beforeRender, after: afterRender, numbers: numberAddresses },
  chartEx: { before: beforeRenderEx, after: afterRenderEx, numbers: numberAddressesEx },
}

async function chartObject(
  { owner, relation, repeats }: Place,
  chart: TemplatePart,
  source: FindObjects,
  byName: ReadonlyMap<string, TemplatePart>,
): Promise<Found | undefined> {
  const { context, additions } = source
  const { before, after, numbers } = chartMarkup[relation.kind]!
  const beside = relationsIn(chart.name, source)
  const data = beside.find(({ kind }) => kind === 'package')
  const book = data === undefined ? undefined : await openInner(data.target, source, numbers(chart.text))
  const shapes = beside.flatMap(({ kind, target }) =>
    kind === 'chartUserShapes' ? (byName.get(target) ?? []) : [],
  )
  const tagged = [chart, ...shapes].some(({ text }) => hasTag(text)) || book?.tagged === true
  if (!tagged && !repeats) return undefined
  const template = before(chart.text, book?.pack.addresses)
  const packages: EmbeddedPackage[] = [
    { format: 'docx', rules: chartRules, parts: [{ ...chart, text: template }, ...shapes] },
    ...(book === undefined ? [] : [innerOf(book.pack, data!.target)]),
  ]
  const own = beside.filter(({ target }) => source.names.has(target))
  const names = [chart.name, relationsOf(chart.name), ...own.map(({ target }) => target)].filter((name) =>
    source.names.has(name),
  )
  const copies = copyNames(source, names)
  const encoder = new TextEncoder()
  return {
    ...place(owner.name, relation, names),
    packages,
    written: copies.count,
    write(scope, [fillChart, fillBook]) {
      const nameOf = copies.next(scope)
      const { writer, texts } = collector()
      fillChart!(writer, scope)
      let drawn: Parameters<typeof afterRender>[1]
      let bytes: Uint8Array | undefined
      if (book !== undefined && fillBook !== undefined) {
        const inside = new RenderScope()
        bytes = filled(book.pack, fillBook, scope, inside)
        const { addresses } = book.pack
        if (addresses !== undefined) drawn = { addresses, scope: inside, book: readBook(bytes, context) }
      }
      for (const name of names) {
        if (name === data?.target && bytes !== undefined)
          additions.file(scope, nameOf(name), bytes, typeOf(name, source))
        else if (name === chart.name || texts.has(name)) {
          const text = texts.get(name) ?? template
          const done = name === chart.name ? after(text, drawn) : text
          additions.file(scope, nameOf(name), encoder.encode(done), typeOf(name, source))
        } else if (nameOf(name) !== name) {
          const copy =
            name === relationsOf(chart.name)
              ? encoder.encode(renamed(source.relations.get(chart.name) ?? '', chart.name, nameOf))
              : source.read(name)
          if (copy !== undefined) additions.file(scope, nameOf(name), copy, typeOf(name, source))
        }
      }
      return related(place(owner.name, relation, names), relation, nameOf(chart.name), scope, additions)
    },
  }
}

// ------------------------------------------------------------------------------------------------------ files inside

async function embeddedFile(
  { owner, relation, repeats }: Place,
  source: FindObjects,
): Promise<Found | undefined> {
  const { additions } = source
  const file = await openInner(relation.target, source)
  if (file === undefined || !(file.tagged || repeats)) return undefined
  const names = [relation.target]
  const copies = copyNames(source, names)
  return {
    ...place(owner.name, relation, names),
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
      return related(place(owner.name, relation, names), relation, name, scope, additions)
    },
  }
}

interface Opened {
  readonly pack: TemplatePackage
  readonly tagged: boolean
}

/** A file inside the file, undefined where it is no template of a known kind. */
async function openInner(
  name: string,
  { context, read }: Pick<FindObjects, 'context' | 'read'>,
  numbers?: readonly string[],
): Promise<Opened | undefined> {
  const bytes = context.inner === undefined ? undefined : read(name)
  const pack = bytes === undefined ? undefined : await context.inner!(name, bytes, numbers)
  return pack === undefined
    ? undefined
    : { pack, tagged: pack.parts.some(({ text }) => hasTagAnywhere(text)) }
}

export const innerOf = ({ format, rules, parts }: TemplatePackage, within: string): EmbeddedPackage => ({
  format,
  rules,
  parts,
  within,
})

/** The inner file as this copy of it reads. */
export function filled(
  pack: TemplatePackage,
  fill: FillPackage,
  scope: RenderScope,
  inside: RenderScope,
): Uint8Array {
  inside.set(renderMedia, scope.require(renderMedia))
  const writer = pack.begin()
  inside.set(packageWriter, writer)
  try {
    fill(writer, inside)
    pack.rules.finish?.(inside, writer)
    return writer.finish().view!
  } catch (error) {
    writer.abandon()
    throw error
  }
}

// ------------------------------------------------------------------------------------------------------------- places

const place = (part: string, { id }: Relation, names: readonly string[]) => ({ part, id, names })

/** The id by which the owner knows a copy. A copy of a slide brings the relationship to the template's object along. */
function related(
  { part, id }: ReturnType<typeof place>,
  { type, target }: Relation,
  now: string,
  scope: RenderScope,
  additions: Additions,
): string {
  if (now === target) return id
  const owner = partNow(scope, part)
  if (owner !== part) additions.drop(scope, owner, id, [])
  return additions.relation(scope, part, type, now)
}

/** The first copy keeps the names of the template, later ones get names of their own. */
function copyNames({ names: taken }: FindObjects, names: readonly string[]) {
  const copies = scopeKey<number>('copies of an embedded object')
  let mark = '_'
  const numbered = (name: string, copy: number) =>
    copy === 1 ? name : name.replace(/(\.\w+(?:\.rels)?)$/, `${mark}${copy}$1`)
  while (
    names.some((name) =>
      [...taken].some(
        (known) => known !== name && known.startsWith(`${name.replace(/\.\w+(?:\.rels)?$/, '')}${mark}`),
      ),
    )
  )
    mark += '_'
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
function renamed(relations: string, owner: string, nameOf: (name: string) => string): string {
  return relations.replace(
    /(<(?:\w+:)?Relationship\b(?:[^>"']|"[^"]*"|'[^']*')*?\sTarget=")([^"]*)"/g,
    (whole, head, target) => {
      const name = targetOf(owner, target)
      return /\sTargetMode="External"/.test(whole) ? whole : `${head}/${nameOf(name)}"`
    },
  )
}

function typeOf(name: string, { contentTypes }: FindObjects): string | undefined {
  const own = [...contentTypes.matchAll(/<(?:\w+:)?Override\b[^<>]*>/g)].find(([element]) =>
    element.includes(`"/${name}"`),
  )
  return own === undefined ? undefined : /\sContentType="([^"]*)"/.exec(own[0])?.[1]
}

function relationsIn(part: string, { relations, names }: FindObjects): Relation[] {
  const text = relations.get(part) ?? ''
  return [...text.matchAll(/<(?:\w+:)?Relationship\b(?:[^>"']|"[^"]*"|'[^']*')*>/g)].flatMap(([element]) => {
    const value = (name: string) => new RegExp(`\\s${name}=(["'])(.*?)\\1`).exec(element)?.[2] ?? ''
    const target = targetOf(part, value('Target'))
    if (value('TargetMode') === 'External' || !names.has(target)) return []
    const type = value('Type')
    return [{ id: value('Id'), kind: type.split('/').at(-1) ?? '', type, target }]
  })
}

// ------------------------------------------------------------------------------------------------------------- tokens

const showing = /(?:^|:)(?:chart|OLEObject|oleObject|oleObj|embed)$/

/** The relationship's id, where it names an object, becomes what the object's copy says. */
function bindAll(
  tokens: readonly Token[],
  objects: ReadonlyMap<string, Found> | undefined,
): readonly Token[] {
  if (objects === undefined) return tokens
  const out: Token[] = []
  let alternate = 0
  /** Keys by id of an object, so that the other choice of an mc:AlternateContent names the same copy. */
  const twins = new Map<string, ScopeKey<string>>()
  for (const token of tokens) {
    if ('name' in token && token.name === 'mc:AlternateContent' && token.kind !== 'void') {
      alternate += token.kind === 'open' ? 1 : -1
      if (alternate === 0) twins.clear()
    }
    const found =
      (token.kind === 'open' || token.kind === 'void') && showing.test(token.name)
        ? /(\s\w+:id\s*=\s*["'])([^"']*)/.exec(token.raw)
        : null
    const object = found === null ? undefined : objects.get(found[2]!)
    if (found === null || object === undefined) {
      out.push(token)
      continue
    }
    const start = found.index + found[1]!.length
    const twin = twins.get(object.id)
    const key = twin ?? scopeKey<string>('relationship of an embedded object')
    if (alternate > 0) twins.set(object.id, key)
    out.push(
      ...withId(
        token as ElementToken,
        start,
        start + object.id.length,
        twin === undefined ? object : undefined,
        key,
      ),
    )
  }
  return out
}

function withId(
  { kind, name, raw, offset }: ElementToken,
  start: number,
  end: number,
  object: Found | undefined,
  key: ScopeKey<string>,
): Token[] {
  const tail = raw.slice(end)
  const inner: EmbeddedObject | undefined = object && {
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
      ...(inner && { embedded: inner }),
    },
  ]
  if (kind === 'open') return [...head, { kind: 'text', raw: tail, offset, markup: true }]
  return [
    ...head,
    { kind: 'text', raw: tail.replace(/\/>$/, ''), offset, markup: true },
    { kind: 'close', name, raw: '/>', offset },
  ]
}
