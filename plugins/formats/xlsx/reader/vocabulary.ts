import { wordVocabulary } from '../../../../shared/office/ooxml/vocabulary.ts'
import type { Vocabulary } from '../../../../shared/xml/cursor.ts'

const schemas = 'http://schemas.openxmlformats.org/'
const strict = 'http://purl.oclc.org/ooxml/'

/** Transitional and strict namespaces with the prefixes of this reader (ECMA-376-1 Annex A, ECMA-376-4). */
export const workbookVocabulary: Vocabulary = {
  prefixes: new Map([
    [`${schemas}spreadsheetml/2006/main`, 's'],
    [`${strict}spreadsheetml/main`, 's'],
    [`${schemas}officeDocument/2006/relationships`, 'r'],
    [`${strict}officeDocument/relationships`, 'r'],
    [`${schemas}drawingml/2006/main`, 'a'],
    [`${strict}drawingml/main`, 'a'],
    [`${schemas}package/2006/relationships`, 'rel'],
    [`${schemas}markup-compatibility/2006`, 'mc'],
    ['http://schemas.microsoft.com/office/spreadsheetml/2009/9/main', 'x14'],
    ['http://schemas.microsoft.com/office/excel/2006/main', 'xm'],
  ]),
  understood: new Set(['s', 'r', 'a', 'x14']),
}

/** The namespaces of drawings over the cells, which share most elements with those of text documents. */
export const drawingVocabulary: Vocabulary = {
  prefixes: new Map([
    ...wordVocabulary.prefixes,
    [`${schemas}drawingml/2006/spreadsheetDrawing`, 'xdr'],
    [`${strict}drawingml/spreadsheetDrawing`, 'xdr'],
  ]),
  understood: new Set([...wordVocabulary.understood, 'xdr']),
}
