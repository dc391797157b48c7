/**
 * Relationships of Office Open XML (ISO/IEC 29500-2, 9.3): every address outside of a package stands in one of its .rels
 * parts, so nothing else is unpacked.
 */
import type { Findings, LinkKind } from './findings.ts'
import { nowhere } from './findings.ts'
import { editXml } from './xml-edits.ts'

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
export function editRelationships(text: string, findings: Findings): string | undefined {
  return editXml(text, (tag) => {
    if (tag.name !== 'Relationship') return
    const type = tag.attribute('', 'Type')?.value ?? ''
    const kind = type.slice(type.lastIndexOf('/') + 1)
    if (kind === 'hyperlink') return
    if (kind === 'font') findings.hasEmbeddedFonts = true
    const target = tag.attribute('', 'Target')
    if (target === undefined || !isOutside(target.value, tag.attribute('', 'TargetMode')?.value)) return
    target.replace(nowhere)
    findings.drop(kinds[kind] ?? 'file')
  })
}

function isOutside(target: string, mode: string | undefined): boolean {
  return mode?.trim().toLowerCase() === 'external' || /^\s*(?:[a-z][a-z0-9+.-]*:|\/\/|\\)/i.test(target)
}
