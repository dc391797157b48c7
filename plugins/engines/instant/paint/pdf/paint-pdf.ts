/**
 * Paints pages as a PDF. Everything is already measured, and the same pages give the same bytes.
 *
 * In order: glyphs are collected and fonts embedded (`page-fonts.ts`), contents are written page by page (`content.ts`), then
 * what connects pages (`navigation.ts`) and what describes the document (`document-info.ts`).
 */

import type { FormField } from '../../../../../shared/document/form-field.ts'
import { srgbProfile } from '../../../../../shared/pdf/write/colour-profile.ts'
import { createPdfFile, type PdfFile } from '../../../../../shared/pdf/write/pdf-file.ts'
import type { DecodeWebp } from '../../../../../shared/plugin/contract.ts'
import type { Codec, Warning } from '../../../../../shared/plugin/values.ts'
import type { ImageRef } from '../../images/image.ts'
import type { OutlineEntry, Page, Pt } from '../../layout/frame.ts'
import { type PageTargets, pageContent } from './content.ts'
import { destinationName, infoBody, type Metadata, type PdfConformance, xmpPacket } from './document-info.ts'
import { embedImage } from './embed-image.ts'
import { createFormWriter } from './form-fields.ts'
import {
  collectDestinations,
  linkAnnotations,
  namedDestinations,
  pageLabels,
  writeOutline,
} from './navigation.ts'
import { type FontWriter, fontsAsDrawn, fontsOfPages, type PageFonts } from './page-fonts.ts'
import type { PictureCache } from './picture-cache.ts'
import { createResources } from './resources.ts'
import type { Structure } from './structure.ts'
import { num, reference, textString } from './syntax.ts'

export type { ArchivePart, Metadata, PdfConformance } from './document-info.ts'
export { createPictureCache, type PictureCache } from './picture-cache.ts'

export interface PdfSettings {
  readonly codec: Codec
  readonly metadata?: Metadata
  readonly outline?: readonly OutlineEntry[]
  readonly language?: string // 'de-DE'
  /** A cache that outlives one document, made by `createPictureCache`. Optional. */
  readonly pictures?: PictureCache
  /** Without it, WebP pictures cannot be drawn. */
  readonly decodeWebp?: DecodeWebp
  /** The conformance that the file declares. Throws 'pdf.promise' when the pages do not allow it. */
  readonly conformance?: PdfConformance
  /** Whether fields of forms can be filled; otherwise they are drawn. Absent: they can. */
  readonly formFields?: boolean
  /** Fields that are drawn in any case. */
  readonly printedFields?: ReadonlySet<FormField>
  /** The PDF version, '1.5' or later. A part of PDF/A prescribes its own. */
  readonly version?: string
  /** The structure of the document; present for a tagged PDF. */
  readonly structure?: Structure
  /** Throws after the deadline of the conversion. Called with the steps of work since the previous call; absent: no deadline. */
  readonly check?: (steps: number) => void
  /** Receives a warning for each picture that cannot be drawn and each address that no link may use. */
  warn?(warning: Warning): void
}

/** Paints pages that are all laid out. */
export const paintPdf = (pages: readonly Page[], settings: PdfSettings): Uint8Array =>
  paint(pages, settings, (writer) => fontsOfPages(pages, writer))

/**
 * Paints each page when it is laid out and keeps none of them: a sheet of many pages needs a fraction of the memory, and what a
 * page consists of is still in the caches of the processor.
 */
export const paintPdfAsDrawn = (pages: Iterable<Page>, settings: PdfSettings): Uint8Array =>
  paint(pages, settings, fontsAsDrawn)

/** What is left of a page when its content has been written. */
interface PaintedPage extends Pick<Page, 'label'> {
  readonly width: Pt
  readonly height: Pt
  readonly content: number // its object number
  readonly targets: PageTargets
}

function paint(
  pages: Iterable<Page>,
  settings: PdfSettings,
  pageFonts: (writer: FontWriter) => PageFonts,
): Uint8Array {
  const { codec, metadata = {}, outline = [], language, structure, conformance = {} } = settings
  const { archive } = conformance
  const file = createPdfFile(codec, archive === 1 ? '1.4' : settings.version)
  const resourcesId = file.reserve()
  const treeId = file.reserve()
  const embedded = (image: ImageRef): number | undefined => embedImage(file, image, settings)
  const fonts = pageFonts({ file, codec, archive, embedImage: embedded })
  const resources = createResources(file, {
    id: resourcesId,
    fonts,
    embedImage: embedded,
    ...(archive === 1 && { opaque: true }),
  })
  const painted: PaintedPage[] = []
  for (const { frame, label } of pages) {
    const index = painted.length
    const { content, targets } = pageContent(frame, resources, {
      fields: settings.formFields !== false,
      ...(settings.printedFields !== undefined && { printedFields: settings.printedFields }),
      ...(structure !== undefined && { tagging: { structure, tags: structure.page(index) } }),
      ...(settings.check !== undefined && { check: settings.check }),
    })
    painted.push({
      width: frame.width,
      height: frame.height,
      content: file.stream('', content),
      targets,
      ...(label !== undefined && { label }),
    })
  }
  const pageIds = painted.map(() => file.reserve())
  const destinations = collectDestinations(
    pageIds,
    painted.map(({ targets }) => targets),
  )
  const form = createFormWriter(file, resourcesId)
  for (const [index, { width, height, content, targets }] of painted.entries()) {
    const tagged = structure === undefined ? undefined : { structure, page: index }
    const links = linkAnnotations(file, targets, destinations, {
      tagged,
      warn: (warning) => settings.warn?.(warning),
    })
    const id = pageIds[index] ?? 0
    const fields = form.add(targets.fields ?? [], { id, tagged })
    const annotations = [...links, ...fields].map(reference).join(' ')
    const tagging = structure === undefined ? '' : `/StructParents ${index}/Tabs/S`
    file.set(
      id,
      `<</Type/Page/Parent ${reference(treeId)}/MediaBox[0 0 ${num(width)} ${num(height)}]` +
        `/Resources ${reference(resourcesId)}/Contents ${reference(content)}` +
        `${annotations === '' ? '' : `/Annots[${annotations}]`}${tagging}>>`,
    )
  }
  resources.finish()
  file.set(treeId, `<</Type/Pages/Count ${pageIds.length}/Kids[${pageIds.map(reference).join(' ')}]>>`)
  const outlineId = writeOutline(file, outline, destinations)
  const root = writeCatalogue(file, {
    treeId,
    metadata,
    conformance,
    parts: [
      structure?.finish(file, pageIds) ?? '',
      form.finish(),
      archive === undefined ? '' : outputIntent(file),
      outlineId === undefined ? '' : `/Outlines ${reference(outlineId)}/PageMode/UseOutlines`,
      pageLabels(painted),
      namedDestinations(destinations, destinationName),
      language ? `/Lang${textString(language)}` : '',
      metadata.title ? '/ViewerPreferences<</DisplayDocTitle true>>' : '',
    ],
  })
  return file.finish({ root, info: file.add(infoBody(metadata)) })
}

function writeCatalogue(
  file: PdfFile,
  {
    treeId,
    metadata,
    conformance,
    parts,
  }: { treeId: number; metadata: Metadata; conformance: PdfConformance; parts: readonly string[] },
): number {
  const xmp = file.stream('/Type/Metadata/Subtype/XML', xmpPacket(metadata, conformance), 'asIs')
  return file.add(`<</Type/Catalog/Pages ${reference(treeId)}/Metadata ${reference(xmp)}${parts.join('')}>>`)
}

/** The output intent, which defines device colours in PDF/A (ISO 19005-2, 6.2.3). */
function outputIntent(file: PdfFile): string {
  const profile = file.stream('/N 3', srgbProfile())
  const name = '(sRGB IEC61966-2.1)'
  return `/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier${name}/Info${name}/DestOutputProfile ${reference(profile)}>>]`
}
