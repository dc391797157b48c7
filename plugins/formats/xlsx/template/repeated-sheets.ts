/**
 * Worksheets that repeat or vanish. A loop whose `[i]` and `[i+1]` are in two sheets, in their cells or in their
 * names, iterates over the entries of `workbook.xml`. Each copy of a sheet gets parts of its own: its cells,
 * relationships, drawings, tables. Source: template language 24.4; ECMA-376-1, 18.2.19 and 18.2.6.
 */

import { type Copies, copiesOf, copyNumber } from '../../../../shared/office/opc/copies.ts'
import { targetOf } from '../../../../shared/office/opc/names.ts'
import { repeatedAmong } from '../../../../shared/office/opc/repeated-parts.ts'
import { a1 } from '../../../../shared/office/sheet/formula.ts'
import {
  type SheetCopy,
  type SheetModel,
  type Sheets,
  writeFormula,
} from '../../../../shared/office/sheet/layout.ts'
import { claimName } from '../../../../shared/office/sheet/names.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import { textOf } from '../../../../shared/template/emit/value.ts'
import { inOneTag } from '../../../../shared/template/media/tokens.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import type { ComputedToken, Token } from '../../../../shared/template/scan/tokens.ts'
import { type RenderScope, scopeKey } from '../../../../shared/template/scope.ts'
import type { TemplatePart } from '../../../../shared/template/template-part.ts'
import {
  attributeOf,
  elementIn,
  elementsIn,
  replaceAttribute,
  withoutAttribute,
} from '../../../../shared/xml/elements.ts'
import { escapeAttribute, escapeText } from '../../../../shared/xml/markup.ts'
import { decodeEntities } from '../../../../shared/xml/scan.ts'
import { relationshipsOf } from './relationships.ts'

/** The part that lists the sheets. */
const list = 'xl/workbook.xml'
/** The empty sheet of a workbook that would otherwise have none: no program opens such a workbook. */
const spare = { part: 'xl/worksheets/empty.xml', relation: 'rIdempty' }
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const worksheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml'
const worksheetRelation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet'

/** An entry of `workbook.xml`: a worksheet, or a sheet that contains only a chart or macros. */
export interface SheetEntry {
  readonly name: string // as written in the file, with character references and tags
  readonly relation: string // the id of its relationship
  readonly part: string | undefined
  readonly model: SheetModel | undefined // of worksheets
}
/** A sheet of the output, in the order of the output. */
interface WrittenSheet {
  readonly entry: number // the index of the entry it is a copy of
  readonly name: string
  readonly scope: RenderScope
}

/** The sheets that the workbook lists, in order; `models` are those of worksheets by part. */
export function entriesOf(
  workbook: string,
  texts: ReadonlyMap<string, string>,
  models: ReadonlyMap<string, SheetModel>,
): SheetEntry[] {
  const targets = new Map<string, string>()
  for (const [, target, id] of relationshipsOf(texts, list)) targets.set(id, target)
  return Array.from(elementsIn(workbook, 'sheet'), ({ attributes }) => {
    const relation = attributeOf(attributes, 'r:id') ?? ''
    const part = targets.get(relation)
    return {
      name: attributeOf(attributes, 'name') ?? '',
      relation,
      part,
      model: part === undefined ? undefined : models.get(part),
    }
  })
}

/** Indexes of the entries that may be written several times or not at all. */
export function repeatedEntries(
  entries: readonly SheetEntry[],
  texts: ReadonlyMap<string, string>,
  workbook: string,
): Set<number> {
  // Names of sheets in formulas do not repeat anything.
  const cells = (part: string) =>
    (texts.get(part) ?? '').replace(/(?:'|&apos;)[^'<>]{0,200}?(?:'|&apos;)!/g, '')
  const among = repeatedAmong(
    entries.map(({ name, part }) => `${name} ${part === undefined ? '' : cells(part)}`),
    [workbook],
    'sheet',
  )
  return new Set([...among].filter((at) => entries[at]!.model !== undefined))
}

/** The context for repeating sheets. */
export interface RepeatSheets {
  readonly entries: readonly SheetEntry[]
  readonly repeated: ReadonlySet<number>
  readonly texts: ReadonlyMap<string, string>
  readonly names: ReadonlySet<string> // of all parts of the package, so that copies get other names
  readonly sheets: Sheets
}

/** How the parts of a workbook are prepared when some of its sheets repeat. */
export interface RepeatedSheets {
  /** Parts that are written together with their sheet. */
  readonly inside: ReadonlySet<string>
  prepareWorkbook(tokens: readonly Token[], rules: FormatRules): Token[]
  /** Prepares relationships that contain tags: parts that a copy owns get the names they have in that copy. */
  prepareRelationships(part: string, tokens: readonly Token[]): Token[]
  readonly finish: NonNullable<FormatRules['finish']>
}

const writtenKey = scopeKey<WrittenSheet[]>('sheets written')
const writtenIn = (scope: RenderScope): WrittenSheet[] => scope.obtain(writtenKey, () => [])

/**
 * The name of a sheet that repeats: the name of the copy that is being written, otherwise the name of its first copy.
 */
export function nameNow(model: SheetModel, entry: number, scope: RenderScope): string | undefined {
  return scope.get(model.keys.name) ?? writtenIn(scope).find((each) => each.entry === entry)?.name
}

/** The copies of a sheet that repeats, as far as they are written. */
export const copiesNow = (entry: number, scope: RenderScope): readonly SheetCopy[] =>
  writtenIn(scope).filter((each) => each.entry === entry)

/** Replaces the entries that repeat with computed tokens. Each copy of a sheet is written together with its entry. */
export function repeatSheets({ entries, repeated, texts, names, sheets }: RepeatSheets): RepeatedSheets {
  const relations = new Map<string, string>()
  for (const [name, text] of texts) {
    if (name.endsWith('.rels')) relations.set(name.replace(/_rels\/([^/]*)\.rels$/, '$1'), text)
  }
  const managed = [...repeated].map((at) => entries[at]!)
  const copies = copiesOf({
    names,
    contentTypes: texts.get('[Content_Types].xml') ?? '',
    relations,
    list,
    entries: managed.map(({ part, relation }) => ({ part: part!, relation })),
  })
  const owned = new Map(managed.map(({ part }) => [part!, copies.owned(part!)]))
  const relationsParts = (part: string) =>
    [...texts.keys()].filter((name) => isRelationsOf(name, owned.get(part)!))
  const inside = new Set<string>()
  for (const { part } of managed) {
    for (const name of owned.get(part!)!) inside.add(name)
    for (const name of relationsParts(part!)) inside.add(name)
  }
  const partsOf = (part: string): TemplatePart[] =>
    [...owned.get(part)!, ...relationsParts(part).filter((name) => /\{|%7b/i.test(texts.get(name)!))].flatMap(
      (name) => {
        const text = texts.get(name)
        return text === undefined ? [] : [{ name, syntax: 'xml' as const, text }]
      },
    )
  const fixed = new Set(
    entries.flatMap(({ name }, at) =>
      repeated.has(at) || name.includes('{') ? [] : [decodeEntities(name).toLowerCase()],
    ),
  )
  return {
    inside,
    prepareWorkbook: (tokens, rules) =>
      localNames(sheetEntries(tokens, { entries, repeated, copies, fixed, partsOf, rules }), sheets),
    prepareRelationships(part, tokens) {
      const owner = part.replace(/_rels\/([^/]*)\.rels$/, '$1')
      const ofSheet = new Set([...owned.values()].find((all) => all.includes(owner)) ?? [])
      return inOneTag(tokens, ['Relationship']).flatMap((token) => {
        const target = token.kind === 'void' ? attributeOf(token.raw, 'Target') : undefined
        if (token.kind !== 'void' || target === undefined || !ofSheet.has(targetOf(owner, target)))
          return [token]
        const compute = (scope: RenderScope) =>
          replaceAttribute(token.raw, 'Target', `/${copies.partNow(scope, targetOf(owner, target))}`)
        return [{ kind: 'computed', offset: token.offset, compute }]
      })
    },
    finish(scope, writer) {
      if (writtenIn(scope).length === 0) {
        const empty = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${main}"><sheetData/></worksheet>`
        writer.add(spare.part, new TextEncoder().encode(empty))
        copies.list(scope, { ...spare, kind: worksheetRelation, type: worksheetType })
      }
      copies.finish(scope, writer)
    },
  }
}

/** The entry that a workbook has when no sheet is left. */
export const spareSheet = `<sheet name="Sheet1" sheetId="1" r:id="${spare.relation}"/>`

const isRelationsOf = (name: string, owners: readonly string[]): boolean =>
  name.endsWith('.rels') && owners.includes(name.replace(/_rels\/([^/]*)\.rels$/, '$1'))

/** The context for writing the entries of a workbook. */
interface Entries {
  readonly entries: readonly SheetEntry[]
  readonly repeated: ReadonlySet<number>
  readonly copies: Copies
  readonly fixed: ReadonlySet<string> // names of sheets that do not change, in lower case
  readonly partsOf: (part: string) => TemplatePart[]
  readonly rules: FormatRules
}

/**
 * Prepares the entries, each of which records the sheet of the output that it writes. An entry that repeats contains
 * the parts of its sheet.
 */
function sheetEntries(tokens: readonly Token[], sheets: Entries): Token[] {
  const out: Token[] = []
  let entry = -1
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    if ((token.kind !== 'open' && token.kind !== 'void') || token.name !== 'sheet') {
      out.push(token)
      continue
    }
    entry += 1
    let end = at
    if (token.kind === 'open') while (tokens[end]!.kind !== 'close') end += 1
    if (sheets.repeated.has(entry)) pushAll(out, repeatedEntry(tokens.slice(at, end + 1), entry, sheets))
    else {
      const current = entry
      const compute = (scope: RenderScope) => {
        const name = decodeEntities(sheets.entries[current]!.name)
        writtenIn(scope).push({ entry: current, name, scope })
        return ''
      }
      out.push({ kind: 'computed', offset: token.offset, compute })
      pushAll(out, tokens.slice(at, end + 1))
    }
    at = end
  }
  return out
}

/**
 * Stands for a tag in the markup of an element until its value is known. The characters are from the private use
 * area.
 */
const hole = (n: number) => `\uE010${n}\uE011`

function repeatedEntry(element: readonly Token[], entry: number, sheets: Entries): Token[] {
  const { copies, fixed, partsOf, rules, entries } = sheets
  const { model, part } = entries[entry]!
  const { offset } = element[0]!
  const key = scopeKey<unknown[]>('values for the name of a sheet')
  const values = (scope: RenderScope): unknown[] => scope.obtain(key, () => [])
  let raw = ''
  const tags: Token[] = []
  for (const token of element) {
    if (token.kind === 'tag') {
      const n = tags.length
      raw += hole(n)
      tags.push({
        ...token,
        output: (value, _text, scope) => {
          values(scope)[n] = value
          return ''
        },
      })
    } else if ('raw' in token) raw += token.raw
  }
  const written = attributeOf(raw, 'name') ?? ''
  const rest = ['name', 'sheetId'].reduce(withoutAttribute, elementIn(raw, 'sheet')?.attributes ?? '')
  const inner: ComputedToken = {
    kind: 'computed',
    offset,
    compute: () => '',
    embedded: {
      packages: [{ format: 'xlsx', rules, parts: partsOf(part!) }],
      write(scope, [fill]) {
        const tagValues = values(scope)
        scope.delete(key)
        const requestedName = decodeEntities(written).replace(/\uE010(\d+)\uE011/g, (_, n) =>
          textOf(tagValues[Number(n)]),
        )
        const name = claimName(scope, fixed, requestedName)
        const { keys } = model!
        const localKeys = new Set<object>([keys.layout, keys.copies, keys.collected, keys.name])
        const copy = copies.make(scope, part!, localKeys, fill!, (copied) => {
          copied.scope.set(keys.name, name)
          writtenIn(scope).push({ entry, name, scope: copied.scope })
        })
        const id = copy.number === 1 ? attributeOf(raw, 'sheetId') : freshId(scope)
        const attributes = replaceAttribute(rest, 'r:id', copy.relation)
        return ` name="${escapeAttribute(name)}" sheetId="${id}"${attributes}`
      },
    },
  }
  return [
    { kind: 'open', name: 'sheet', raw: '<sheet', offset },
    ...tags,
    inner,
    { kind: 'close', name: 'sheet', raw: '/>', offset },
  ]
}

const idKey = scopeKey<number>('id of a sheet')
/** Returns an id above those in the template's workbook. */
function freshId(scope: RenderScope): number {
  const next = (scope.get(idKey) ?? 10_000) + 1
  scope.set(idKey, next)
  return next
}

/**
 * Names that belong to one sheet (print areas, filters) refer to it by its position in the workbook. Each copy of the
 * sheet gets its own.
 */
function localNames(tokens: readonly Token[], sheets: Sheets): Token[] {
  const out: Token[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    const local =
      token.kind === 'open' && token.name === 'definedName'
        ? attributeOf(token.raw, 'localSheetId')
        : undefined
    const text = tokens[at + 1]
    if (
      token.kind !== 'open' ||
      local === undefined ||
      text?.kind !== 'text' ||
      tokens[at + 2]?.kind !== 'close'
    ) {
      out.push(token)
      continue
    }
    const formulaTokens = a1
      .parse(decodeEntities(text.raw))
      .map((formulaToken) =>
        typeof formulaToken === 'string' ? formulaToken : { ...formulaToken, onlyArgument: true },
      )
    const compute = (scope: RenderScope) =>
      writtenIn(scope)
        .map((each, position) =>
          each.entry === Number(local)
            ? `${replaceAttribute(token.raw, 'localSheetId', String(position))}${escapeText(writeFormula(formulaTokens, a1, undefined, sheets, each.scope))}</definedName>`
            : '',
        )
        .join('')
    out.push({ kind: 'computed', offset: token.offset, compute })
    at += 2
  }
  return out
}

/** The name of a table in the copy of its sheet that is being written: `Table1`, `Table1_2`, and so on. */
export const tableNameNow = (name: string, scope: RenderScope): string => {
  const number = copyNumber(scope)
  return number === 1 ? name : `${name}_${number}`
}
/** The id of a table in the copy of its sheet that is being written. Ids are unique in a workbook. */
export const tableIdNow = (id: string, scope: RenderScope): string =>
  copyNumber(scope) === 1 ? id : String(freshId(scope))

/** Matches the names of the tables of a sheet in formulas, where a bracket follows: `Table1[Price]`. */
export function tableNames(texts: ReadonlyMap<string, string>, part: string): RegExp | undefined {
  const names = relationshipsOf(texts, part).flatMap(([kind, target]) => {
    const name = kind === 'table' ? attributeOf(texts.get(target) ?? '', 'displayName') : undefined
    return name === undefined ? [] : [name.replace(/[.\\]/g, '\\$&')]
  })
  return names.length === 0
    ? undefined
    : new RegExp(`(?<![\\p{L}\\p{N}_.])(?:${names.join('|')})(?=\\[)`, 'gu')
}
