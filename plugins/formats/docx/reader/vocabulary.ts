import type { Vocabulary } from '../../../../shared/document/xml-cursor.ts'

const w = 'http://schemas.openxmlformats.org/'
const strict = 'http://purl.oclc.org/ooxml/'

/** The namespaces this reader knows, transitional and strict, by the prefix it calls them. */
export const wordVocabulary: Vocabulary = {
  prefixes: new Map([
    [`${w}wordprocessingml/2006/main`, 'w'],
    [`${strict}wordprocessingml/main`, 'w'],
    [`${w}officeDocument/2006/relationships`, 'r'],
    [`${strict}officeDocument/relationships`, 'r'],
    [`${w}drawingml/2006/main`, 'a'],
    [`${strict}drawingml/main`, 'a'],
    [`${w}drawingml/2006/picture`, 'pic'],
    [`${strict}drawingml/picture`, 'pic'],
    [`${w}drawingml/2006/wordprocessingDrawing`, 'wp'],
    [`${strict}drawingml/wordprocessingDrawing`, 'wp'],
    [`${w}drawingml/2006/chart`, 'c'],
    [`${strict}drawingml/chart`, 'c'],
    [`${w}drawingml/2006/diagram`, 'dgm'],
    [`${strict}drawingml/diagram`, 'dgm'],
    [`${w}officeDocument/2006/math`, 'm'],
    [`${strict}officeDocument/math`, 'm'],
    [`${w}package/2006/relationships`, 'rel'],
    [`${w}markup-compatibility/2006`, 'mc'],
    ['http://schemas.microsoft.com/office/word/2010/wordprocessingShape', 'wps'],
    // Shapes of a SmartArt's drawing are those of Word under another name.
    ['http://schemas.microsoft.com/office/drawing/2008/diagram', 'wps'],
    ['http://schemas.microsoft.com/office/word/2010/wordprocessingGroup', 'wpg'],
    ['http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas', 'wpc'],
    ['http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing', 'wp14'],
    ['http://schemas.microsoft.com/office/word/2010/wordml', 'w14'],
    ['http://schemas.microsoft.com/office/word/2012/wordml', 'w15'],
    ['urn:schemas-microsoft-com:vml', 'v'],
    ['urn:schemas-microsoft-com:office:office', 'o'],
    ['urn:schemas-microsoft-com:office:word', 'w10'],
  ]),
  understood: new Set(['w', 'wp', 'a', 'pic', 'wps', 'wpg', 'wp14', 'w14', 'w15', 'v', 'r', 'm', 'c', 'dgm']),
}
