/**
 * Frames to PDF. Pages come in with everything measured; bytes go out, the same for the same pages. In order: glyphs are
 * collected and fonts embedded, contents are written page by page (`content.ts`), then what connects pages
 * (`navigation.ts`) and what describes the document (`document-info.ts`).
 */
import type { Codec, Warning } from '../../../../../shared/plugin/contract.ts'
import type { OutlineEntry, Page } from '../../layout/frame.ts'
import { pageContent } from './content.ts'
import { destinationName, infoBody, type Metadata, xmpPacket } from './document-info.ts'
import { embedFont } from './embed-font.ts'
import { embedImage } from './embed-image.ts'
import { collectGlyphs } from './glyph-usage.ts'
import {
  collectDestinations,
  linkAnnotations,
  namedDestinations,
  pageLabels,
  writeOutline,
} from './navigation.ts'
import { createPdfFile, type PdfFile } from './pdf-file.ts'
import type { PictureCache } from './picture-cache.ts'
import { createResources } from './resources.ts'
import { num, reference, textString } from './syntax.ts'

export type { Metadata } from './document-info.ts'
export { createPictureCache, type PictureCache } from './picture-cache.ts'

export interface PdfSettings {
  readonly codec: Codec
  readonly metadata?: Metadata
  readonly outline?: readonly OutlineEntry[]
  readonly language?: string // 'de-DE'
  /** Kept over documents by who has a place for it: `createPictureCache`. */
  readonly pictures?: PictureCache
  /** Told of pictures that cannot be drawn. */
  warn?(warning: Warning): void
}

export function paintPdf(pages: readonly Page[], settings: PdfSettings): Uint8Array {
  const { codec, metadata = {}, outline = [], language } = settings
  const file = createPdfFile(codec)
  const resourcesId = file.reserve()
  const treeId = file.reserve()
  const usages = [...collectGlyphs(pages).values()]
  const fonts = new Map(usages.map((usage, order) => [usage.font, embedFont(file, codec, usage, order)]))
  const resources = createResources(file, {
    fonts,
    embedImage: (image) => embedImage(file, image, settings),
  })
  const pageIds = pages.map(() => file.reserve())
  const contents: number[] = []
  const findings = pages.map(({ frame }) => {
    const page = pageContent(frame, resources)
    contents.push(file.stream('', page.content))
    return page.findings
  })
  const destinations = collectDestinations(pageIds, findings)
  for (const [index, { frame }] of pages.entries()) {
    const annotations = linkAnnotations(file, findings[index]!, destinations)
    file.set(
      pageIds[index]!,
      `<</Type/Page/Parent ${reference(treeId)}/MediaBox[0 0 ${num(frame.width)} ${num(frame.height)}]` +
        `/Resources ${reference(resourcesId)}/Contents ${reference(contents[index]!)}${annotations}>>`,
    )
  }
  resources.finish(resourcesId)
  file.set(treeId, `<</Type/Pages/Count ${pageIds.length}/Kids[${pageIds.map(reference).join(' ')}]>>`)
  const outlineId = writeOutline(file, outline, destinations)
  const root = writeCatalogue(file, {
    treeId,
    metadata,
    parts: [
      outlineId === undefined ? '' : `/Outlines ${reference(outlineId)}/PageMode/UseOutlines`,
      pageLabels(pages),
      namedDestinations(destinations, destinationName),
      language ? `/Lang${textString(language)}` : '',
      metadata.title ? '/ViewerPreferences<</DisplayDocTitle true>>' : '',
    ],
  })
  return file.finish({ root, info: file.add(infoBody(metadata)) })
}

function writeCatalogue(
  file: PdfFile,
  { treeId, metadata, parts }: { treeId: number; metadata: Metadata; parts: readonly string[] },
): number {
  const xmp = file.stream('/Type/Metadata/Subtype/XML', xmpPacket(metadata), 'asIs')
  return file.add(`<</Type/Catalog/Pages ${reference(treeId)}/Metadata ${reference(xmp)}${parts.join('')}>>`)
}
