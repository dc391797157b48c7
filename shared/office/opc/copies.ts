/**
 * Parts that repeat together with the entry that refers to them: worksheets of a workbook, slides of a presentation.
 * Each copy gets its own parts: the entry's part, and the parts that are reachable only from it (drawings, notes,
 * tables). Pictures, layouts and themes are shared. The first copy keeps the names of the template. Source:
 * ECMA-376-2, clauses 6.5 and 6.2.3.
 */

import { AppError } from '../../errors/app-error.ts'
import type { FillPackage } from '../../template/embedded.ts'
import { type PackageWriter, packageWriter } from '../../template/package-writer.ts'
import { type RenderScope, scopeKey } from '../../template/scope.ts'
import { insertInto, replaceAttribute, replaceElements, withAttributes } from '../../xml/elements.ts'
import { escapeAttribute } from '../../xml/markup.ts'
import { relationsOf, targetOf } from './names.ts'
import {
  overrideOf,
  partsRelatedIn,
  relationshipOf,
  relationshipsIn,
  withoutOverrides,
  withoutRelationships,
} from './relationships.ts'

/** The parts of an opened package that its copies need. */
export interface CopySource {
  readonly names: ReadonlySet<string> // of all entries
  readonly contentTypes: string
  readonly relations: ReadonlyMap<string, string> // owner part -> text of its relationships
  readonly list: string // the part with the entries: 'ppt/presentation.xml'
  readonly entries: readonly CopyEntry[]
}
/** An entry of a list that refers to a part: a slide of a presentation, a sheet of a workbook. */
export interface CopyEntry {
  readonly part: string
  readonly relation: string // id of the relationship from the list
}

/** One copy of a part in a render. */
export interface Copy {
  readonly number: number // from 1
  /** Id of the relationship from the list to this copy's part. */
  readonly relation: string
  /** The render scope of this copy. */
  readonly scope: RenderScope
}

/** Writes parts several times, each copy with relationships and embedded parts of its own. */
export interface Copies {
  /** The part and all parts that repeat with it. */
  owned(part: string): readonly string[]
  /** Writes the next copy. `before` is called before its parts are written. */
  make(
    scope: RenderScope,
    part: string,
    localKeys: ReadonlySet<object>, // keys of the render scope whose values belong to one copy
    fill: FillPackage,
    before?: (copy: Copy) => void,
  ): Copy
  /** The name of a part in the copy that is being written. */
  partNow(scope: RenderScope, part: string): string
  /** Adds a part that replaces entries of the list that were removed. */
  list(scope: RenderScope, added: { part: string; relation: string; kind: string; type: string }): void
  /** Removes entries of which no copy was written, and updates relationships and content types. */
  finish(scope: RenderScope, writer: PackageWriter): void
}

/** Kinds of relationships that a copy does not share with its template. */
const copiedKinds: ReadonlySet<string> = new Set([
  'notesSlide',
  'comments',
  'threadedComment',
  'chart',
  'chartEx',
  'chartUserShapes',
  'chartStyle',
  'chartColorStyle',
  'diagramData',
  'diagramDrawing',
  'diagramLayout',
  'diagramQuickStyle',
  'diagramColors',
  'drawing',
  'vmlDrawing',
  'table',
  'tags',
])

/** The maximum number of copies of a sheet or slide: more than any reader would open. */
const maxCopies = 10_000

interface CopyNumbers {
  readonly counts: Map<string, number>
  readonly highest: Map<string, number> // by stem of names
  readonly relations: Map<string, string> // owner -> text
  readonly types: string[]
  readonly listed: string[]
  readonly removed: Set<string>
  contentTypes: string | undefined
}
interface Current {
  readonly names: ReadonlyMap<string, string>
  readonly number: number
}

const copyNumbersKey = scopeKey<CopyNumbers>('copies made')
const currentKey = scopeKey<Current>('copy being written')

/** The name that a part of the template has in the copy that is being written. */
export const partNow = (scope: RenderScope, part: string): string =>
  scope.get(currentKey)?.names.get(part) ?? part

/** The number of the copy that is being written; 1 outside of copies. */
export const copyNumber = (scope: RenderScope): number => scope.get(currentKey)?.number ?? 1

/** Whether a part was removed with an entry of which no copy was written. Known once the copies are finished. */
export const isGone = (scope: RenderScope, part: string): boolean =>
  scope.get(copyNumbersKey)?.removed.has(part) === true

/** Returns the text of relationships as changed by copies; `text` itself when no copy changed it. */
export const relationsNow = (
  scope: RenderScope,
  part: string,
  text: string | undefined,
): string | undefined => scope.get(copyNumbersKey)?.relations.get(part) ?? text
export const contentTypesNow = (scope: RenderScope, text: string): string =>
  scope.get(copyNumbersKey)?.contentTypes ?? text

/** Creates the copies of one opened package. */
export function copiesOf(source: CopySource): Copies {
  const owned = ownedParts(source)
  const stems = new Map<string, number>()
  for (const name of source.names) {
    const { stem, number } = stemOf(name)
    stems.set(stem, Math.max(number, stems.get(stem) ?? 0))
  }
  const numbersOf = (scope: RenderScope): CopyNumbers =>
    scope.obtain(copyNumbersKey, () => ({
      counts: new Map(),
      highest: new Map(stems),
      relations: new Map(),
      types: [],
      listed: [],
      removed: new Set(),
      contentTypes: undefined,
    }))
  const freeName = (numbers: CopyNumbers, part: string): string => {
    const { stem, extension } = stemOf(part)
    const number = (numbers.highest.get(stem) ?? 0) + 1
    numbers.highest.set(stem, number)
    return `${stem}${number}${extension}`
  }
  return {
    owned: (part) => owned.get(part) ?? [part],
    partNow,
    list(scope, { part, relation, kind, type }) {
      const numbers = numbersOf(scope)
      numbers.listed.push(`<Relationship Id="${relation}" Type="${kind}" Target="/${part}"/>`)
      numbers.types.push(`<Override PartName="/${part}" ContentType="${type}"/>`)
    },
    make(scope, part, localKeys, fill, before) {
      const numbers = numbersOf(scope)
      const number = (numbers.counts.get(part) ?? 0) + 1
      numbers.counts.set(part, number)
      const writer = scope.require(packageWriter)
      const names = new Map<string, string>()
      let { relation } = source.entries.find((entry) => entry.part === part)!
      if (number > 1) {
        if (numbers.listed.length >= maxCopies)
          throw new AppError('package.too-many-entries', { limit: maxCopies })
        for (const ownedPart of owned.get(part) ?? [part]) names.set(ownedPart, freeName(numbers, ownedPart))
        for (const [from, to] of names) {
          writer.copy(from, to)
          const relations = source.relations.get(from)
          if (relations !== undefined) numbers.relations.set(to, retargeted(relations, from, names))
          const type = overrideOf(source.contentTypes, from)
          if (type !== undefined) numbers.types.push(`<Override PartName="/${to}" ContentType="${type}"/>`)
        }
        const listed = relationshipsIn(source.relations.get(source.list) ?? '')
        const kind = listed.find(({ id }) => id === relation)?.type ?? ''
        relation = `rIdc${numbers.listed.length + 1}`
        numbers.listed.push(`<Relationship Id="${relation}" Type="${kind}" Target="/${names.get(part)}"/>`)
      }
      const copyScope = scope.copy(new Set([...localKeys, currentKey]))
      copyScope.set(currentKey, { names, number })
      const copy: Copy = { number, relation, scope: copyScope }
      before?.(copy)
      const renamed = (name: string): string => {
        const relationshipPart = /^(.*?)_rels\/([^/]*)\.rels$/.exec(name)
        if (relationshipPart === null) return names.get(name) ?? name
        const owner = `${relationshipPart[1]}${relationshipPart[2]}`
        return names.has(owner) ? relationsOf(names.get(owner)!) : name
      }
      fill({ ...writer, part: (name, statics) => writer.part(renamed(name), statics) }, copyScope)
      return copy
    },
    finish(scope, writer) {
      const numbers = numbersOf(scope)
      let types = source.contentTypes
      let listed = source.relations.get(source.list) ?? ''
      const unmade = source.entries.filter(({ part }) => !numbers.counts.has(part))
      for (const { part } of unmade) {
        for (const ownedPart of owned.get(part) ?? [part]) {
          numbers.removed.add(ownedPart)
          writer.remove(ownedPart)
          writer.remove(relationsOf(ownedPart))
        }
      }
      if (unmade.length > 0) {
        const lost = new Set(unmade.map(({ relation }) => relation))
        listed = withoutRelationships(listed, ({ id }) => lost.has(id))
        types = withoutOverrides(types, numbers.removed)
      }
      listed = insertInto(listed, 'Relationships', numbers.listed.join(''))
      types = insertInto(types, 'Types', numbers.types.join(''))
      numbers.relations.set(source.list, listed)
      numbers.contentTypes = types
      const encoder = new TextEncoder()
      const tagged = (text: string) => /\{|%7b/i.test(text)
      for (const [owner, text] of numbers.relations) {
        if (owner === source.list || !tagged(text)) writer.add(relationsOf(owner), encoder.encode(text))
      }
      writer.add('[Content_Types].xml', encoder.encode(types))
    },
  }
}

/** For each entry, its part and the parts that are reachable from this entry alone. */
function ownedParts({ entries, relations, names }: CopySource): Map<string, readonly string[]> {
  const leads = new Map<string, Set<string>>() // part -> entries
  const owned = new Map<string, string[]>()
  for (const { part } of entries) {
    const reachable = new Set<string>()
    const pending = [part]
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (reachable.has(name)) continue
      reachable.add(name)
      for (const { kind, target } of partsRelatedIn(relations.get(name) ?? '', name)) {
        if (copiedKinds.has(kind) && names.has(target) && target !== part) pending.push(target)
      }
    }
    for (const name of reachable) leads.set(name, (leads.get(name) ?? new Set()).add(part))
    owned.set(part, [...reachable])
  }
  return new Map(
    [...owned].map(([part, reachable]) => [
      part,
      reachable.filter((name) => name === part || leads.get(name)!.size === 1),
    ]),
  )
}

/** The relationships of a copy, with the new names of the parts that were copied with it. */
const retargeted = (text: string, owner: string, names: ReadonlyMap<string, string>): string =>
  replaceElements(text, 'Relationship', (attributes, _, element) => {
    const { target, isExternal } = relationshipOf(attributes)
    const copyName = isExternal ? undefined : names.get(targetOf(owner, target))
    return copyName === undefined
      ? undefined
      : withAttributes(element, replaceAttribute(attributes, 'Target', escapeAttribute(`/${copyName}`)))
  })

/** 'a/slide12.xml' -> 'a/slide', 12, '.xml'. */
function stemOf(name: string): { stem: string; number: number; extension: string } {
  const [, stem = name, digits = '', extension = ''] = /^(.*?)(\d{0,9})(\.[^./]*)$/.exec(name) ?? []
  return { stem, number: Number(digits), extension }
}
