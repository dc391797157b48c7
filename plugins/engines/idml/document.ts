/**
 * Reads an InDesign document from its parts. Source: IDML File Format Specification 8.0, chapters 7 to 10.
 */

import { defaultLimits } from '../../../shared/limits.ts'
import { openZip, type ZipArchive } from '../../../shared/office/zip.ts'
import type { Codec } from '../../../shared/plugin/values.ts'
import { XmlFault } from '../../../shared/xml/cursor.ts'
import { type Element, ElementBudget, elements, first, textOf } from '../../../shared/xml/read-tree.ts'
import { Swatches } from './colors.ts'
import { Growth } from './growth.ts'
import { type IdmlProperties, propertiesOf, StyleGroup } from './properties.ts'
import { parsePart } from './tree.ts'
import { unreadable } from './unreadable.ts'

export interface Layer {
  readonly visible: boolean
  readonly order: number // from back to front
}

export interface Idml {
  readonly name?: string
  readonly spreads: readonly Element[]
  readonly masters: ReadonlyMap<string, Element>
  readonly stories: ReadonlyMap<string, Element>
  readonly layers: ReadonlyMap<string, Layer>
  readonly paragraphs: StyleGroup
  readonly characters: StyleGroup
  readonly objects: StyleGroup
  readonly cells: StyleGroup
  readonly swatches: Swatches
  /** Targets of hyperlinks by the `Self` of their source text. */
  readonly links: ReadonlyMap<string, string>
  readonly growth: Growth
  /** Finds a file of the package by the end of its path. */
  file(name: string): Uint8Array | undefined
}

/** Throws 'convert.document', and what `openZip` throws. */
export function openIdml(bytes: Uint8Array, codec: Codec): Idml {
  const zip = openZip(bytes, { codec, limits: defaultLimits, format: 'idml' })
  try {
    return read(zip)
  } catch (error) {
    if (error instanceof XmlFault) throw unreadable('one of its parts is not XML')
    throw error
  }
}

function read(zip: ZipArchive): Idml {
  const budget = new ElementBudget()
  const byName = new Map(zip.entries.map((entry) => [entry.name, entry]))
  const part = (name: string): Element | undefined => {
    const entry = byName.get(name)
    return entry === undefined ? undefined : parsePart(new TextDecoder().decode(zip.read(entry)), budget)
  }
  const map = part('designmap.xml')
  if (map === undefined) throw unreadable('it has no design map')
  const parts = (kind: string): readonly Element[] => {
    const named = new Set(
      [...elements(map, `idPkg:${kind}`)].map(({ attributes }) => attributes.get('src') ?? ''),
    )
    return [...named].flatMap((name) => {
      const inside = first(part(name), kind)
      return inside === undefined ? [] : [inside]
    })
  }
  const resource = (kind: string) =>
    part(first(map, `idPkg:${kind}`)?.attributes.get('src') ?? `Resources/${kind}.xml`)
  const styles = resource('Styles')
  const growth = new Growth()
  const stylesOf = (kind: string) => new StyleGroup(kind, first(styles, `Root${kind}Group`), growth)
  const spreads = parts('Spread')
  if (spreads.length === 0) throw unreadable('it has no pages')
  return {
    ...named(map),
    spreads,
    masters: bySelf(parts('MasterSpread')),
    stories: bySelf(parts('Story')),
    layers: layersOf(map),
    paragraphs: stylesOf('ParagraphStyle'),
    characters: stylesOf('CharacterStyle'),
    objects: stylesOf('ObjectStyle'),
    cells: stylesOf('CellStyle'),
    swatches: new Swatches(resource('Graphic')),
    links: linksOf(map),
    growth,
    file: filesOf(zip),
  }
}

/** Each is unpacked once, however many frames show it. */
function filesOf(zip: ZipArchive): Idml['file'] {
  const byName = new Map([...zip.entries].reverse().map((entry) => [lastOf(entry.name), entry]))
  const unpacked = new Map<string, Uint8Array>()
  return (path) => {
    const name = lastOf(path)
    const entry = name === '' ? undefined : byName.get(name)
    if (entry === undefined) return undefined
    const bytes = unpacked.get(name) ?? zip.read(entry)
    unpacked.set(name, bytes)
    return bytes
  }
}

const lastOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? ''

function named(map: Element): { readonly name?: string } {
  const name = map.attributes.get('Name')?.replace(/\.ind[dt]$/i, '')
  return name === undefined || name === '' ? {} : { name }
}

function bySelf(all: readonly Element[]): ReadonlyMap<string, Element> {
  return new Map(all.map((element) => [element.attributes.get('Self') ?? '', element]))
}

/** Layers are listed from back to front. */
function layersOf(map: Element): ReadonlyMap<string, Layer> {
  return new Map(
    [...elements(map, 'Layer')].map(({ attributes }, order) => {
      const visible = attributes.get('Visible') !== 'false' && attributes.get('Printable') !== 'false'
      return [attributes.get('Self') ?? '', { visible, order }]
    }),
  )
}

function linksOf(map: Element): ReadonlyMap<string, string> {
  const targets = new Map(
    [...elements(map, 'HyperlinkURLDestination')].map(({ attributes }) => [
      attributes.get('Self') ?? '',
      attributes.get('DestinationURL') ?? '',
    ]),
  )
  const links = new Map<string, string>()
  for (const link of elements(map, 'Hyperlink')) {
    const properties: IdmlProperties = propertiesOf(link)
    const target = targets.get(properties.get('Destination') ?? textOf(first(link, 'Destination')))
    if (target !== undefined && /^(?:https?|mailto|tel):/i.test(target))
      links.set(properties.get('Source') ?? '', target)
  }
  return links
}
