/**
 * Documents of Word, Excel and PowerPoint 97 to 2003 in compound files. External references are overwritten in place
 * with spaces, so that every offset in the file stays valid; the saved results are kept.
 */
import { blankPictureNames } from './binary-drawings.ts'
import { blankSheetLinks } from './binary-sheets.ts'
import { blankSlideLinks } from './binary-slides.ts'
import { blankWordLinks } from './binary-word.ts'
import { type CompoundStream, joinRanges, openCompound, scatter } from './compound.ts'
import type { ScannedContent } from './findings.ts'

/** Returns the file without its links; undefined when it has none. Throws XmlFault for a damaged file. */
export function editCompound(bytes: Uint8Array, findings: ScannedContent): Uint8Array | undefined {
  const streams = openCompound(bytes)
  const contents = new Map<CompoundStream, Uint8Array>()
  const read = (stream: CompoundStream): Uint8Array => {
    const content = contents.get(stream) ?? joinRanges(bytes, stream.ranges)
    contents.set(stream, content)
    return content
  }
  let changed = false
  for (const stream of streams) {
    const siblingStream = (name: string) => {
      const sibling = streams.find(
        (candidate) => candidate.storage === stream.storage && candidate.name === name,
      )
      return sibling === undefined ? undefined : read(sibling)
    }
    switch (stream.name) {
      case 'WordDocument':
        if (blankWordLinks(read(stream), siblingStream, findings)) changed = true
        break
      case 'Workbook':
      case 'Book':
        if (blankSheetLinks(read(stream), findings)) changed = true
        break
      case 'PowerPoint Document':
        if (blankSlideLinks(read(stream), findings)) changed = true
        break
      case '0Table':
      case '1Table':
      case 'Data':
        if (blankPictureNames(read(stream), findings)) changed = true
        break
      case '\u0001Ole':
        if (blankObjectLink(read(stream), findings)) changed = true
        break
    }
  }
  if (!changed) return undefined
  const edited = bytes.slice()
  for (const [{ ranges }, content] of contents) scatter(content, ranges, edited)
  return edited
}

/** A linked object stores the path to its source here ([MS-OLEDS] 2.3.3); without the flag the object is embedded. */
function blankObjectLink(stream: Uint8Array, findings: ScannedContent): boolean {
  if (((stream[4] ?? 0) & 1) === 0) return false
  stream.fill(0, 4)
  findings.drop('object')
  return true
}
