/**
 * Relationships of Office Open XML (ISO/IEC 29500-2, 9.3): every address outside of a package stands in one of its .rels
 * parts, but those of a workbook's connections, so nothing else is unpacked.
 */
import type { Findings, LinkKind } from './findings.ts'
import { nowhere } from './findings.ts'
import { editXml, type StartTag } from './xml-edits.ts'

export const isRelationships = (name: string): boolean => name.toLowerCase().endsWith('.rels')

/** By the last segment of a relationship's type, which the strict and the transitional form share. */
const kinds: Readonly<Record<string, LinkKind>> = {
  image: 'picture',
  attachedTemplate: 'template',
  oleObject: 'object',
  package: 'object',
  externalLink: 'table',
  externalLinkPath: 'table',
  xlExternalLinkPath: 'table',
  subDocument: 'text',
  aFChunk: 'text',
  frame: 'text',
  video: 'sound or film',
  audio: 'sound or film',
  media: 'sound or film',
  font: 'font',
  mailMergeSource: 'data source',
  mailMergeHeaderSource: 'data source',
  connections: 'data source',
}

/** The part with targets outside replaced; undefined when it has none. Hyperlinks stay: nobody follows them here. */
export const editRelationships = (text: string, findings: Findings): string | undefined =>
  editXml(text, (tag) => editRelationship(tag, findings))

/** Also of a package that is written as one flat file. */
export function editRelationship(tag: StartTag, findings: Findings): void {
  if (tag.name !== 'Relationship') return
  const type = tag.attribute('', 'Type')?.value ?? ''
  const kind = type.slice(type.lastIndexOf('/') + 1)
  if (kind === 'hyperlink') return
  if (kind === 'font') findings.hasEmbeddedFonts = true
  const target = tag.attribute('', 'Target')
  if (target === undefined) return
  // Connections are looked into by the name of their part, so under another name they are none.
  const unseen = kind === 'connections' && !isConnections(target.value)
  if (!unseen && !isOutside(target.value, tag.attribute('', 'TargetMode')?.value)) return
  target.replace(nowhere)
  findings.drop(kinds[kind] ?? 'file')
}

export const isConnections = (name: string): boolean => /(?:^|\/)connections\d*\.xml$/i.test(name)

/** Attributes of connections of a workbook (ISO/IEC 29500-1, 18.13): pages, files and databases its tables come from. */
const ofConnections = ['url', 'editPage', 'sourceFile', 'odcFile', 'connection', 'localConnection'] as const

/** The connections without what they lead to; undefined where they lead nowhere. */
export const editConnections = (text: string, findings: Findings): string | undefined =>
  editXml(text, (tag) => {
    for (const name of ofConnections) {
      const source = tag.attribute('', name)
      if (source === undefined || source.value === '') continue
      source.replace('')
      findings.drop('data source')
    }
  })

function isOutside(target: string, mode: string | undefined): boolean {
  return mode?.trim().toLowerCase() === 'external' || /^\s*(?:[a-z][a-z0-9+.-]*:|\/\/|\\)/i.test(target)
}
