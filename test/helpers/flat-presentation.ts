/** Presentations of OpenDocument in one XML file, for tests of the readers of slides. */
import { readFodp } from '../../plugins/formats/odp/slides/open.ts'
import type { Deck } from '../../shared/document/deck.ts'
import type { Outcome } from '../../shared/plugin/values.ts'

const urn = 'urn:oasis:names:tc:opendocument:xmlns:'
const namespaces = `xmlns:office="${urn}office:1.0" xmlns:style="${urn}style:1.0" xmlns:text="${urn}text:1.0" xmlns:table="${urn}table:1.0" xmlns:draw="${urn}drawing:1.0" xmlns:fo="${urn}xsl-fo-compatible:1.0" xmlns:svg="${urn}svg-compatible:1.0" xmlns:presentation="${urn}presentation:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:script="${urn}script:1.0" xmlns:number="${urn}datastyle:1.0" xmlns:config="${urn}config:1.0" xmlns:ooo="http://openoffice.org/2004/office"`

/** The parts of a presentation, as markup. */
export interface FlatPresentation {
  readonly pages: string
  readonly styles?: string
  readonly automatic?: string
  /** The shapes of the master 'M', whose pages are 400 by 300 points. */
  readonly master?: string
  /** What is before the pages: declarations of footers. */
  readonly declarations?: string
  readonly settings?: string
}

/** The XML of a presentation whose master is 'M'. */
export const flatPresentation = ({
  pages,
  styles = '',
  automatic = '',
  master = '',
  declarations = '',
  settings = '',
}: FlatPresentation): string =>
  `<office:document ${namespaces} office:mimetype="application/vnd.oasis.opendocument.presentation">${settings}<office:styles>${styles}</office:styles><office:automatic-styles><style:page-layout style:name="L"><style:page-layout-properties fo:page-width="400pt" fo:page-height="300pt"/></style:page-layout>${automatic}</office:automatic-styles><office:master-styles><style:master-page style:name="M" style:page-layout-name="L" draw:style-name="dpM">${master}</style:master-page></office:master-styles><office:body><office:presentation>${declarations}${pages}</office:presentation></office:body></office:document>`

export const readFlat = (presentation: FlatPresentation): Outcome<Deck> =>
  readFodp(new TextEncoder().encode(flatPresentation(presentation)))

/** A slide of the master 'M'. */
export const pageOf = (shapes: string, attributes = ''): string =>
  `<draw:page draw:master-page-name="M" ${attributes}>${shapes}</draw:page>`

/** A text box in points. */
export const textBoxOf = (
  text: string,
  { attributes = '', box = [10, 20, 100, 50] }: { attributes?: string; box?: readonly number[] } = {},
): string =>
  `<draw:frame svg:x="${box[0]}pt" svg:y="${box[1]}pt" svg:width="${box[2]}pt" svg:height="${box[3]}pt" ${attributes}><draw:text-box>${text.startsWith('<') ? text : `<text:p>${text}</text:p>`}</draw:text-box></draw:frame>`
