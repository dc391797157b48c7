import { AppError } from '../../errors/app-error.ts'
import type { PdfDocument } from '../model/document.ts'
import type { PdfPage } from '../model/pages.ts'
import { dict, name, PdfRef, type PdfValue } from '../model/values.ts'

/** How a viewer opens the file: options of specification 4.9, already checked. Absent options change nothing. */
export interface ViewerOptions {
  readonly CenterWindow?: boolean
  readonly DisplayPDFDocumentTitle?: boolean
  readonly HideViewerMenubar?: boolean
  readonly HideViewerToolbar?: boolean
  readonly HideViewerWindowControls?: boolean
  readonly ResizeWindowToInitialPage?: boolean
  readonly OpenInFullScreenMode?: boolean
  readonly FirstPageOnLeft?: boolean
  readonly InitialPage?: number
  readonly InitialView?: number
  readonly Magnification?: number
  readonly PageLayout?: number
  readonly Zoom?: number
}

/** Keys of the viewer preferences, ISO 32000-2, table 147. */
const preferences = [
  ['CenterWindow', 'CenterWindow'],
  ['DisplayPDFDocumentTitle', 'DisplayDocTitle'],
  ['HideViewerMenubar', 'HideMenubar'],
  ['HideViewerToolbar', 'HideToolbar'],
  ['HideViewerWindowControls', 'HideWindowUI'],
  ['ResizeWindowToInitialPage', 'FitWindow'],
] as const
const views = ['UseNone', 'UseOutlines', 'UseThumbs'] as const

/** Writes the options into the catalogue of a finished file. ISO 32000-2, 7.7.2, 12.2, 12.3.2. */
export function applyViewer(document: PdfDocument, pages: readonly PdfPage[], options: ViewerOptions): void {
  const { catalog } = document
  const viewerPreferences = document.dictAt(catalog, 'ViewerPreferences')?.copy() ?? dict({})
  for (const [option, key] of preferences) {
    const value = options[option]
    if (value !== undefined) viewerPreferences.set(key, value)
  }
  const view = views[options.InitialView ?? -1]
  if (options.OpenInFullScreenMode === true) {
    catalog.set('PageMode', name('FullScreen'))
    viewerPreferences.set('NonFullScreenPageMode', name(view ?? 'UseNone'))
  } else if (view !== undefined) catalog.set('PageMode', name(view))
  if (viewerPreferences.entries.size > 0) catalog.set('ViewerPreferences', viewerPreferences)
  const layout = layoutOf(options)
  if (layout === 'default') catalog.delete('PageLayout')
  else if (layout !== undefined) catalog.set('PageLayout', name(layout))
  const opening = openingOf(pages, options)
  if (opening !== undefined) catalog.set('OpenAction', opening)
}

/** 'default' leaves the choice to the viewer; undefined leaves the file as it is. */
function layoutOf({ PageLayout, FirstPageOnLeft }: ViewerOptions): string | undefined {
  switch (PageLayout) {
    case 0:
      return 'default'
    case 1:
      return 'SinglePage'
    case 2:
      return 'OneColumn'
    case 3:
      return FirstPageOnLeft === true ? 'TwoColumnLeft' : 'TwoColumnRight'
    default:
      return undefined
  }
}

/** The destination that a viewer opens first: a page and its magnification. ISO 32000-2, 12.3.2.2. */
function openingOf(
  pages: readonly PdfPage[],
  { InitialPage, Magnification, Zoom = 100 }: ViewerOptions,
): PdfValue | undefined {
  if (InitialPage === undefined && Magnification === undefined) return undefined
  const number = InitialPage ?? 1
  const page = pages[number - 1]
  if (page === undefined) {
    const rule = `must be one of the ${pages.length} pages`
    throw new AppError('convert.options', { option: 'InitialPage', rule })
  }
  // A page that is a direct object of the tree cannot be referred to, so it is identified by its index.
  const target: PdfValue = page.id === 0 ? number - 1 : new PdfRef(page.id)
  switch (Magnification) {
    case 1:
      return [target, name('Fit')]
    case 2:
      return [target, name('FitH'), null]
    case 3:
      return [target, name('FitBH'), null]
    case 4:
      return [target, name('XYZ'), null, null, Zoom / 100]
    default:
      return [target, name('XYZ'), null, null, 0]
  }
}
