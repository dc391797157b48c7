import type { Vocabulary } from '../../xml/cursor.ts'

const w = 'http://schemas.openxmlformats.org/'
const strict = 'http://purl.oclc.org/ooxml/'

/**
 * Transitional and strict namespaces that this reader knows, with their canonical prefixes (ECMA-376-1 Annex
 * A, ECMA-376-4).
 */
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
    // The shapes in the drawing part of a SmartArt have the structure of Word's shapes, so they share a
    // prefix.
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
