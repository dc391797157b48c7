/**
 * Parts that repeat with the entry that names them: worksheets of a workbook, slides of a presentation. Each copy gets
 * parts of its own: the entry's part, and what only it leads to (drawings, notes, tables). Pictures, layouts and themes
 * are shared. The first copy keeps the names of the template. Source: ECMA-376-2, clauses 6.5 and 6.2.3.
 */

import { AppError } from '../../errors/app-error.ts'
import type { FillPackage } from '../../template/embedded.ts'
import { type PackageWriter, packageWriter } from '../../template/package.ts'
import { type RenderScope, scopeKey } from '../../template/scope.ts'

import { relationsOf, targetOf } from './names.ts'

/** What of an opened package its copies need to know. */
export interface CopySource {
  readonly names: ReadonlySet<string> // of all entries
  readonly contentTypes: string
  readonly relations: ReadonlyMap<string, string> // owner part -> text of its relationships
  readonly list: string // the part with the entries: 'ppt/presentation.xml'
  readonly entries: readonly CopyEntry[]
}
export interface CopyEntry {
  readonly part: string
  readonly relation: string // id of the relationship from the list
}

export interface Copy {
  readonly number: number // from 1
  /** Id of the relationship from the list to this copy's part. */
  readonly relation: string
  /** The render scope of this copy. */
  readonly scope: RenderScope
}

export interface Copies {
  /** The part and all that repeats with it. */
  owned(part: string): readonly string[]
  /** Makes the next copy: `own` are keys whose notes belong to it alone, `before` runs ahead of its parts. */
  make(
    scope: RenderScope,
    part: string,
    own: ReadonlySet<object>, // keys of the render scope whose values are the copy's alone
    fill: FillPackage,
    before?: (copy: Copy) => void,
  ): Copy
  partNow(scope: RenderScope, part: string): string
  /** A part that the list names in place of what it lost. */
  list(scope: RenderScope, added: { part: string; relation: string; kind: string; type: string }): void
  /** Entries that were never made are taken out; relationships and content types follow. */
  finish(scope: RenderScope, writer: PackageWriter): void
}

/** Kinds of relationships that a copy does not share with its template. */
const ownKinds =
  /\/(?:notesSlide|comments|threadedComment|chart|chartEx|chartUserShapes|chartStyle|chartColorStyle|diagramData|diagramDrawing|diagramLayout|diagramQuickStyle|diagramColors|drawing|vmlDrawing|table|tags)$/

/** More sheets or slides than anyone looks at. */
const copiesAtMost = 10_000

interface Made {
  readonly counts: Map<string, number>
  readonly highest: Map<string, number> // by stem of names
  readonly relations: Map<string, string> // owner -> text
  readonly types: string[]
  readonly listed: string[]
  readonly gone: Set<string>
  contentTypes: string | undefined
}
interface Current {
  readonly names: ReadonlyMap<string, string>
  readonly number: number
}

const madeKey = scopeKey<Made>('copies made')
const currentKey = scopeKey<Current>('copy being written')

/** The name a part of the template has in the copy being written. */
export const partNow = (scope: RenderScope, part: string): string =>
  scope.get(currentKey)?.names.get(part) ?? part

/** Which copy is being written; 1 outside of copies. */
export const copyNumber = (scope: RenderScope): number => scope.get(currentKey)?.number ?? 1

/** Whether a part went with an entry that was never made. Known once the copies are finished. */
export const isGone = (scope: RenderScope, part: string): boolean =>
  scope.get(madeKey)?.gone.has(part) === true

/** Texts that copies changed; what was given where they did not. */
export const relationsNow = (
  scope: RenderScope,
  part: string,
  text: string | undefined,
): string | undefined => scope.get(madeKey)?.relations.get(part) ?? text
export const contentTypesNow = (scope: RenderScope, text: string): string =>
  scope.get(madeKey)?.contentTypes ?? text

export function copiesOf(source: CopySource): Copies {
  const owned = ownedParts(source)
  const stems = new Map<string, number>()
  for (const name of source.names) {
    const { stem, number } = stemOf(name)
    stems.set(stem, Math.max(number, stems.get(stem) ?? 0))
  }
  const madeIn = (scope: RenderScope): Made =>
    scope.obtain(madeKey, () => ({
      counts: new Map(),
      highest: new Map(stems),
      relations: new Map(),
      types: [],
      listed: [],
      gone: new Set(),
      contentTypes: undefined,
    }))
  const fresh = (made: Made, part: string): string => {
    const { stem, extension } = stemOf(part)
    const number = (made.highest.get(stem) ?? 0) + 1
    made.highest.set(stem, number)
    return `${stem}${number}${extension}`
  }
  return {
    owned: (part) => owned.get(part) ?? [part],
    partNow,
    list(scope, { part, relation, kind, type }) {
      const made = madeIn(scope)
      made.listed.push(`<Relationship Id="${relation}" Type="${kind}" Target="/${part}"/>`)
      made.types.push(`<Override PartName="/${part}" ContentType="${type}"/>`)
    },
    make(scope, part, own, fill, before) {
      const made = madeIn(scope)
      const number = (made.counts.get(part) ?? 0) + 1
      made.counts.set(part, number)
      const writer = scope.require(packageWriter)
      const names = new Map<string, string>()
      let { relation } = source.entries.find((entry) => entry.part === part)!
      if (number > 1) {
        if (made.listed.length >= copiesAtMost)
          throw new AppError('package.too-many-entries', { limit: copiesAtMost })
        for (const each of owned.get(part) ?? [part]) names.set(each, fresh(made, each))
        for (const [from, to] of names) {
          writer.copy(from, to)
          const relations = source.relations.get(from)
          if (relations !== undefined) made.relations.set(to, retargeted(relations, from, names))
          const type = overrideOf(source.contentTypes, from)
          if (type !== undefined) made.types.push(`<Override PartName="/${to}" ContentType="${type}"/>`)
        }
        const kind =
          /\sType="([^"]*)"/.exec(elementOf(source.relations.get(source.list), relation))?.[1] ?? ''
        relation = `rIdc${made.listed.length + 1}`
        made.listed.push(`<Relationship Id="${relation}" Type="${kind}" Target="/${names.get(part)}"/>`)
      }
      const copyScope = scope.copy(new Set([...own, currentKey]))
      copyScope.set(currentKey, { names, number })
      const copy: Copy = { number, relation, scope: copyScope }
      before?.(copy)
      const renamed = (name: string): string => {
        const found = /^(.*?)_rels\/([^/]*)\.rels$/.exec(name)
        if (found === null) return names.get(name) ?? name
        const owner = `${found[1]}${found[2]}`
        return names.has(owner) ? relationsOf(names.get(owner)!) : name
      }
      fill({ ...writer, part: (name, statics) => writer.part(renamed(name), statics) }, copyScope)
      return copy
    },
    finish(scope, writer) {
      const made = madeIn(scope)
      let types = source.contentTypes
      let listed = source.relations.get(source.list) ?? ''
      for (const { part, relation } of source.entries) {
        if (made.counts.has(part)) continue
        listed = listed.replace(elementOf(listed, relation), '')
        for (const each of owned.get(part) ?? [part]) {
          made.gone.add(each)
          writer.remove(each)
          writer.remove(relationsOf(each))
          types = types.replace(
            new RegExp(`<Override\\b[^<>]*PartName="/${escapedPattern(each)}"[^<>]*/>`),
            '',
          )
        }
      }
      listed = listed.replace(/<\/Relationships>\s*$/, `${made.listed.join('')}</Relationships>`)
      types = types.replace(/<\/Types>\s*$/, `${made.types.join('')}</Types>`)
      made.relations.set(source.list, listed)
      made.contentTypes = types
      const encoder = new TextEncoder()
      const tagged = (text: string) => /\{|%7b/i.test(text)
      for (const [owner, text] of made.relations) {
        if (owner === source.list || !tagged(text)) writer.add(relationsOf(owner), encoder.encode(text))
      }
      writer.add('[Content_Types].xml', encoder.encode(types))
    },
  }
}

/** Each entry's part with those that only it leads to. */
function ownedParts({ entries, relations, names }: CopySource): Map<string, readonly string[]> {
  const leads = new Map<string, Set<string>>() // part -> entries
  const owned = new Map<string, string[]>()
  for (const { part } of entries) {
    const found = new Set<string>()
    const waiting = [part]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (found.has(next)) continue
      found.add(next)
      for (const { kind, target } of targetsOf(relations.get(next) ?? '', next)) {
        if (ownKinds.test(kind) && names.has(target) && target !== part) waiting.push(target)
      }
    }
    for (const each of found) leads.set(each, (leads.get(each) ?? new Set()).add(part))
    owned.set(part, [...found])
  }
  return new Map(
    [...owned].map(([part, found]) => [
      part,
      found.filter((each) => each === part || leads.get(each)!.size === 1),
    ]),
  )
}

function* targetsOf(
  text: string,
  owner: string,
): Iterable<{ kind: string; target: string; written: string }> {
  for (const [element] of text.matchAll(/<Relationship\b(?:[^>"']|"[^"]*"|'[^']*')*>/g)) {
    if (/\sTargetMode="External"/.test(element)) continue
    const written = /\sTarget="([^"]*)"/.exec(element)?.[1]
    if (written !== undefined)
      yield { kind: /\sType="([^"]*)"/.exec(element)?.[1] ?? '', target: targetOf(owner, written), written }
  }
}

/** The relationships of a copy: what it owns is named by its new name. */
function retargeted(text: string, owner: string, names: ReadonlyMap<string, string>): string {
  let out = text
  for (const { target, written } of targetsOf(text, owner)) {
    const now = names.get(target)
    if (now !== undefined) out = out.replaceAll(`Target="${written}"`, `Target="/${now}"`)
  }
  return out
}

function elementOf(relations: string | undefined, id: string): string {
  return (
    new RegExp(`<Relationship\\b[^<>]*\\sId="${escapedPattern(id)}"[^<>]*>`).exec(relations ?? '')?.[0] ?? ''
  )
}

function overrideOf(types: string, part: string): string | undefined {
  const element = new RegExp(`<Override\\b[^<>]*PartName="/${escapedPattern(part)}"[^<>]*>`, 'i').exec(
    types,
  )?.[0]
  return /\sContentType="([^"]*)"/.exec(element ?? '')?.[1]
}

const escapedPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** 'a/slide12.xml' -> 'a/slide', 12, '.xml'. */
function stemOf(name: string): { stem: string; number: number; extension: string } {
  const [, stem = name, digits = '', extension = ''] = /^(.*?)(\d{0,9})(\.[^./]*)$/.exec(name) ?? []
  return { stem, number: Number(digits), extension }
}
