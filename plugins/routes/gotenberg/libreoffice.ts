/**
 * POST /forms/libreoffice/convert: converts office documents to PDF, each separately or merged in the order of their
 * names.
 */
import type { RouteHost, RouteRequest, RouteResponse } from 'platen/plugin'
import { engineStandards, finishPdf, readFinishing, split, withOptions } from './finish.ts'
import { invalid } from './invalid.ts'
import { replyWith } from './reply.ts'
import { extensionOf, type Form, readForm } from './request.ts'

const unsupported = [
  'landscape',
  'password',
  'singlePageSheets',
  'exportHiddenSlides',
  'exportOnlyNotesPages',
  'exportNotesInMargin',
  'exportPlaceholders',
  'nativeWatermarkColor',
  'nativeWatermarkFontHeight',
  'nativeWatermarkRotateAngle',
  'nativeWatermarkFontName',
  'nativeTiledWatermarkText',
]

/** Field -> option of PDF output. Fields that are not sent leave the defaults of the service. */
const flags: Readonly<Record<string, string>> = {
  exportFormFields: 'ExportFormFields',
  allowDuplicateFieldNames: 'AllowDuplicateFieldNames',
  exportBookmarks: 'ExportBookmarks',
  exportBookmarksToPdfDestination: 'ExportBookmarksToPDFDestination',
  exportNotes: 'ExportNotes',
  exportNotesPages: 'ExportNotesPages',
  convertOooTargetToPdfTarget: 'ConvertOOoTargetToPDFTarget',
  exportLinksRelativeFsys: 'ExportLinksRelativeFsys',
  skipEmptyPages: 'IsSkipEmptyPages',
  addOriginalDocumentAsStream: 'IsAddStream',
  losslessImageCompression: 'UseLosslessCompression',
  reduceImageResolution: 'ReduceImageResolution',
  firstPageOnLeft: 'FirstPageOnLeft',
  resizeWindowToInitialPage: 'ResizeWindowToInitialPage',
  centerWindow: 'CenterWindow',
  openInFullScreenMode: 'OpenInFullScreenMode',
  displayPDFDocumentTitle: 'DisplayPDFDocumentTitle',
  hideViewerMenubar: 'HideViewerMenubar',
  hideViewerToolbar: 'HideViewerToolbar',
  hideViewerWindowControls: 'HideViewerWindowControls',
  useTransitionEffects: 'UseTransitionEffects',
}

/** Field -> option, and its allowed numbers. */
const numbers: Readonly<Record<string, readonly [option: string, min: number, max: number]>> = {
  quality: ['Quality', 1, 100],
  maxImageResolution: ['MaxImageResolution', 75, 1200],
  initialView: ['InitialView', 0, 2],
  initialPage: ['InitialPage', 1, 100_000],
  magnification: ['Magnification', 0, 4],
  zoom: ['Zoom', 10, 1600],
  pageLayout: ['PageLayout', 0, 3],
  openBookmarkLevels: ['OpenBookmarkLevels', -1, 10],
}

function officeOptions(form: Form): Readonly<Record<string, unknown>> {
  const range = form.text('nativePageRanges').trim()
  return {
    ...Object.fromEntries(
      Object.entries(flags).flatMap(([field, option]) =>
        form.text(field) === '' ? [] : [[option, form.flag(field, false)]],
      ),
    ),
    ...Object.fromEntries(
      Object.entries(numbers).flatMap(([field, [option, min, max]]) =>
        form.text(field) === '' ? [] : [[option, form.number(field, min, { min, max })]],
      ),
    ),
    ...(form.text('nativeWatermarkText') !== '' && { Watermark: form.text('nativeWatermarkText') }),
    ...(range !== '' && { PageRange: range }),
  }
}

export async function convertOffice(request: RouteRequest, host: RouteHost): Promise<RouteResponse> {
  const form = await readForm(request, host)
  form.refuse(unsupported)
  const options = officeOptions(form)
  const finishing = await readFinishing(form, host)
  const standards = engineStandards(finishing)
  const sources = form.filesOf((extension) => host.formatOf(extension) !== undefined)
  if (sources.length < form.files.length) throw invalid('a form file has an extension that is not supported')
  const outputs: { name: string; bytes: Uint8Array }[] = []
  for (const { name, bytes } of sources) {
    const from = host.formatOf(extensionOf(name)) ?? 'pdf'
    const pdf =
      from === 'pdf'
        ? await withOptions(bytes, standards, host)
        : await host.convert({ source: bytes, from, to: 'pdf', options: { ...options, ...standards } })
    outputs.push({ name: `${name}.pdf`, bytes: pdf })
  }
  const isMerged = form.flag('merge', false)
  const documents = isMerged
    ? [{ name: 'merged.pdf', bytes: await host.join(outputs.map(({ bytes }) => bytes)) }]
    : outputs
  const files: { name: string; bytes: Uint8Array }[] = []
  for (const { name, bytes } of documents) {
    const parts = await split(bytes, form, host)
    for (const [index, part] of parts.entries()) {
      const partName = parts.length === 1 ? name : name.replace(/\.pdf$/, `_${index}.pdf`)
      files.push({ name: partName, bytes: await finishPdf(part, finishing, host, standards) })
    }
  }
  return replyWith(files, request, host)
}
