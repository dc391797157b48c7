import type { Vocabulary } from '../../xml/cursor.ts'

const urn = 'urn:oasis:names:tc:opendocument:xmlns:'

/**
 * The namespaces of OpenDocument (ODF 1.3 part 3, 1.3), of LibreOffice's extensions and of the standards they
 * use, by their customary prefixes.
 */
export const openVocabulary: Vocabulary = {
  prefixes: new Map([
    [`${urn}office:1.0`, 'office'],
    [`${urn}style:1.0`, 'style'],
    [`${urn}text:1.0`, 'text'],
    [`${urn}table:1.0`, 'table'],
    [`${urn}drawing:1.0`, 'draw'],
    [`${urn}xsl-fo-compatible:1.0`, 'fo'],
    [`${urn}svg-compatible:1.0`, 'svg'],
    // Drafts of the standard used the namespaces of other standards themselves.
    ['http://www.w3.org/1999/XSL/Format', 'fo'],
    ['http://www.w3.org/2000/svg', 'svg'],
    [`${urn}meta:1.0`, 'meta'],
    [`${urn}config:1.0`, 'config'],
    [`${urn}chart:1.0`, 'chart'],
    ['http://openoffice.org/2010/chart', 'chartooo'],
    [`${urn}datastyle:1.0`, 'number'],
    [`${urn}form:1.0`, 'form'],
    [`${urn}presentation:1.0`, 'presentation'],
    ['http://www.w3.org/1998/Math/MathML', 'math'],
    ['http://openoffice.org/2010/draw', 'drawooo'],
    ['http://www.w3.org/1999/xlink', 'xlink'],
    ['http://purl.org/dc/elements/1.1/', 'dc'],
    ['urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0', 'loext'],
    ['urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0', 'field'],
    ['urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0', 'calcext'],
  ]),
  understood: new Set(),
}
