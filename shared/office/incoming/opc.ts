/**
 * Relationships of Office Open XML (ISO/IEC 29500-2, 9.3), which contain most external addresses of a package. The
 * others are handled by `office-xml.ts`.
 */

import { entryOf } from '../../entry-of.ts'
import type { StartTag } from '../../xml/edit-tags.ts'
import type { LinkKind, ScannedContent } from './findings.ts'
import { nowhere } from './findings.ts'

/** Kinds of links by the last segment of a relationship's type, which the strict and the transitional form share. */
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
}

const mediaTypes: ReadonlySet<string> = new Set([
  'image',
  'video',
  'audio',
  'media',
  'font',
  'thumbnail',
  'hdphoto',
])

/**
 * Names that programs give to pictures, fonts, sounds and films. SVG pictures are excluded: they are XML and may
 * contain external references.
 */
export const isMedia = (name: string): boolean =>
  /\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|wdp|webp|ico|odttf|ttf|otf|mp[34]|m4[av]|wav|avi|mov|wmv)$/i.test(
    name,
  )

/** Replaces an external target. Hyperlinks are kept, because they are not followed here. */
export function editRelationship(tag: StartTag, findings: ScannedContent): void {
  if (tag.name !== 'Relationship') return
  const type = tag.attribute('', 'Type')?.value ?? ''
  const kind = type.slice(type.lastIndexOf('/') + 1)
  if (kind === 'hyperlink') return
  if (kind === 'font') findings.hasEmbeddedFonts = true
  const target = tag.attribute('', 'Target')
  if (target === undefined) return
  if (isMedia(target.value) && !mediaTypes.has(kind)) findings.hasPartNamedAsMedia = true
  if (!isRelationshipOutside(target.value, tag.attribute('', 'TargetMode')?.value)) return
  target.replace(nowhere)
  findings.drop(entryOf(kinds, kind) ?? 'file')
}

export function isRelationshipOutside(target: string, mode: string | undefined): boolean {
  return mode?.trim().toLowerCase() === 'external' || /^\s*(?:[a-z][a-z0-9+.-]*:|\/\/|\\)/i.test(target)
}
