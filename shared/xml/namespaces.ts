/**
 * The namespaces of office documents with their conventional prefixes. Code that compares names of a part uses these
 * prefixes; `conventionalXml` ensures that the part has them.
 */

const schemas = 'http://schemas.openxmlformats.org/'
const strict = 'http://purl.oclc.org/ooxml/'
const microsoft = 'http://schemas.microsoft.com/office/'
const open = 'urn:oasis:names:tc:opendocument:xmlns:'

/** The attributes of mc: contain prefixes, and so does Requires of mc:Choice (ECMA-376-3, clauses 9 and 10). */
export const compatibilityUri = `${schemas}markup-compatibility/2006`
export const schemaInstanceUri = 'http://www.w3.org/2001/XMLSchema-instance'
export const openDocumentUri = open

/**
 * Namespace URI to prefix; '' is the default namespace. Transitional and strict namespaces of Office Open XML share
 * one. Source: ECMA-376-1 and -4, annex A; ODF 1.3 part 3, 1.3; for extensions, observed in what Office and LibreOffice
 * write.
 */
export const conventionalPrefixes: ReadonlyMap<string, string> = new Map([
  [`${schemas}package/2006/relationships`, ''],
  [`${schemas}package/2006/content-types`, ''],
  [`${schemas}package/2006/metadata/core-properties`, 'cp'],
  [`${schemas}officeDocument/2006/extended-properties`, ''],
  [`${strict}officeDocument/extendedProperties`, ''],
  [`${schemas}officeDocument/2006/custom-properties`, ''],
  [`${strict}officeDocument/customProperties`, ''],
  [`${schemas}officeDocument/2006/docPropsVTypes`, 'vt'],
  [`${strict}officeDocument/docPropsVTypes`, 'vt'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://purl.org/dc/terms/', 'dcterms'],
  [schemaInstanceUri, 'xsi'],
  [compatibilityUri, 'mc'],
  [`${schemas}officeDocument/2006/relationships`, 'r'],
  [`${strict}officeDocument/relationships`, 'r'],
  [`${schemas}officeDocument/2006/math`, 'm'],
  [`${strict}officeDocument/math`, 'm'],
  [`${schemas}wordprocessingml/2006/main`, 'w'],
  [`${strict}wordprocessingml/main`, 'w'],
  [`${microsoft}word/2010/wordml`, 'w14'],
  [`${microsoft}word/2012/wordml`, 'w15'],
  [`${schemas}spreadsheetml/2006/main`, ''],
  [`${strict}spreadsheetml/main`, ''],
  [`${microsoft}excel/2006/main`, 'xm'],
  [`${microsoft}spreadsheetml/2009/9/main`, 'x14'],
  [`${microsoft}spreadsheetml/2010/11/main`, 'x15'],
  [`${microsoft}spreadsheetml/2014/revision`, 'xr'],
  [`${microsoft}spreadsheetml/2015/revision2`, 'xr2'],
  [`${microsoft}spreadsheetml/2016/revision3`, 'xr3'],
  [`${microsoft}spreadsheetml/2018/threadedcomments`, ''],
  [`${schemas}presentationml/2006/main`, 'p'],
  [`${strict}presentationml/main`, 'p'],
  [`${microsoft}powerpoint/2010/main`, 'p14'],
  [`${schemas}drawingml/2006/main`, 'a'],
  [`${strict}drawingml/main`, 'a'],
  [`${microsoft}drawing/2010/main`, 'a14'],
  [`${microsoft}drawing/2014/main`, 'a16'],
  [`${microsoft}drawing/2016/SVG/main`, 'asvg'],
  [`${schemas}drawingml/2006/picture`, 'pic'],
  [`${strict}drawingml/picture`, 'pic'],
  [`${schemas}drawingml/2006/wordprocessingDrawing`, 'wp'],
  [`${strict}drawingml/wordprocessingDrawing`, 'wp'],
  [`${microsoft}word/2010/wordprocessingDrawing`, 'wp14'],
  [`${microsoft}word/2010/wordprocessingShape`, 'wps'],
  [`${microsoft}word/2010/wordprocessingGroup`, 'wpg'],
  [`${microsoft}word/2010/wordprocessingCanvas`, 'wpc'],
  [`${schemas}drawingml/2006/spreadsheetDrawing`, 'xdr'],
  [`${strict}drawingml/spreadsheetDrawing`, 'xdr'],
  [`${schemas}drawingml/2006/chart`, 'c'],
  [`${strict}drawingml/chart`, 'c'],
  [`${schemas}drawingml/2006/chartDrawing`, 'cdr'],
  [`${strict}drawingml/chartDrawing`, 'cdr'],
  [`${microsoft}drawing/2007/8/2/chart`, 'c14'],
  [`${microsoft}drawing/2012/chart`, 'c15'],
  [`${microsoft}drawing/2014/chart`, 'c16'],
  [`${microsoft}drawing/2014/chartex`, 'cx'],
  [`${schemas}drawingml/2006/diagram`, 'dgm'],
  [`${strict}drawingml/diagram`, 'dgm'],
  ['urn:schemas-microsoft-com:vml', 'v'],
  ['urn:schemas-microsoft-com:office:office', 'o'],
  ['urn:schemas-microsoft-com:office:word', 'w10'],
  ['urn:schemas-microsoft-com:office:excel', 'x'],
  [`${open}office:1.0`, 'office'],
  [`${open}style:1.0`, 'style'],
  [`${open}text:1.0`, 'text'],
  [`${open}table:1.0`, 'table'],
  [`${open}drawing:1.0`, 'draw'],
  [`${open}dr3d:1.0`, 'dr3d'],
  [`${open}xsl-fo-compatible:1.0`, 'fo'],
  [`${open}svg-compatible:1.0`, 'svg'],
  [`${open}smil-compatible:1.0`, 'smil'],
  [`${open}meta:1.0`, 'meta'],
  [`${open}config:1.0`, 'config'],
  [`${open}chart:1.0`, 'chart'],
  [`${open}datastyle:1.0`, 'number'],
  [`${open}form:1.0`, 'form'],
  [`${open}script:1.0`, 'script'],
  [`${open}presentation:1.0`, 'presentation'],
  [`${open}animation:1.0`, 'anim'],
  [`${open}manifest:1.0`, 'manifest'],
  [`${open}of:1.2`, 'of'],
  ['http://www.w3.org/1999/xlink', 'xlink'],
  ['http://openoffice.org/2004/office', 'ooo'],
  ['http://openoffice.org/2004/writer', 'ooow'],
  ['http://openoffice.org/2004/calc', 'oooc'],
  ['http://openoffice.org/2009/office', 'officeooo'],
  ['http://openoffice.org/2010/chart', 'chartooo'],
  ['http://openoffice.org/2010/draw', 'drawooo'],
  ['urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0', 'loext'],
  ['http://schemas.libreoffice.org/', 'loext'],
  ['urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0', 'calcext'],
])

/** Prefixes that denote one of these namespaces in the code, and must therefore not denote another one in a part. */
export const reservedPrefixes: ReadonlySet<string> = new Set(
  [...conventionalPrefixes.values()].filter((prefix) => prefix !== ''),
)
