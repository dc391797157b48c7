/** The documents that the matrix is run with: small ones that people made, and what the service makes of them. */
import { readFileSync } from 'node:fs'
import type { FormatId } from '../../shared/plugin/values.ts'
import { leaflet } from '../helpers/idml.ts'
import { flatDrawing } from '../plugins/engines/libreoffice/samples.ts'

export interface Sample {
  readonly bytes: Uint8Array
  /** What every output that carries text must hold. */
  readonly words: readonly string[]
  /** What sheets that are made of it must hold: the text of its tables. */
  readonly inTables: readonly string[]
}

const fixture = (path: string) =>
  new Uint8Array(readFileSync(new URL(`../fixtures/${path}`, import.meta.url)))

function sample(source: Uint8Array | string, words: string, inTables = words): Sample {
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source
  return { bytes, words: split(words), inTables: split(inTables) }
}
const split = (words: string): readonly string[] => words.split(' ').filter((word) => word !== '')

const body =
  '<h1>Harvest</h1><p>Written by <b>hand</b> in Zürich.</p><table><tr><th>Fruit</th><th>Weight</th></tr><tr><td>Quince</td><td>4711</td></tr></table>'

/** By format. Every other format that can be read is made from one of these by the service (`madeFrom`). */
export const seeds: Readonly<Record<FormatId, Sample>> = {
  docx: sample(
    fixture('corpus/docling-project__word_tables.docx'),
    'uniform horizontal spans Header Merged',
    'Header Cell',
  ),
  odt: sample(
    fixture('corpus/docling-project__text_document_03.odt'),
    'formatted strikethrough Column paragraph',
    'Column',
  ),
  xlsx: sample(fixture('real/ericwhitedev__QuarterlyUnitSales.xlsx'), 'Quarter Bicycles Mirrors Carriers'),
  pptx: sample(
    fixture('real/unstructured-io__sample-presentation.pptx'),
    'subtitle bulleted Subtopic backwards',
    'A1 B2 C2',
  ),
  pdf: sample(fixture('pdf/letter-tagged.pdf'), 'Nordwind Harbour customer Wednesday', ''),
  fodg: sample(flatDrawing, 'Box', ''),
  html: sample(
    `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Harvest</title></head><body>${body}</body></html>`,
    'Harvest Written hand Zürich Quince 4711',
    'Fruit Quince 4711',
  ),
  xhtml: sample(
    `<?xml version="1.0" encoding="UTF-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><title>Harvest</title></head><body>${body}</body></html>`,
    'Harvest Written hand Zürich Quince 4711',
    'Fruit Quince 4711',
  ),
  md: sample(
    '# Harvest\n\nWritten by **hand** in Zürich.\n\n| Fruit | Weight |\n| --- | --- |\n| Quince | 4711 |\n',
    'Harvest Written hand Zürich Quince 4711',
    'Fruit Quince 4711',
  ),
  csv: sample('Fruit;Weight\nQuince;4711\nZürich;12,5\n', 'Fruit Quince 4711 Zürich'),
  txt: sample('Harvest in Zürich\nQuince and 4711 more\n', 'Harvest Zürich Quince 4711', ''),
  svg: sample(fixture('vector/shapes.svg'), 'Text', ''),
  xml: sample(
    '<?xml version="1.0" encoding="UTF-8"?>\n<order number="4711"><place>Zürich</place><fruit>Quince</fruit></order>\n',
    'order 4711 Zürich Quince',
    '',
  ),
  docbook: sample(
    `<?xml version="1.0" encoding="UTF-8"?>\n<article xmlns="http://docbook.org/ns/docbook" version="5.0"><title>Harvest</title><para>Written by <emphasis>hand</emphasis> in Zürich.</para><informaltable><tgroup cols="2"><tbody><row><entry>Quince</entry><entry>4711</entry></row></tbody></tgroup></informaltable></article>`,
    'Harvest Written hand Zürich Quince 4711',
    'Quince 4711',
  ),
  idml: sample(await leaflet(fixture('images/rgb.png')), 'Quinces Serbia Nobody Kilograms', 'Kilograms 4711'),
  bmp: sample(fixture('images/rgb.bmp'), '', ''),
}

/** The seed of what the service writes under another name. */
export const outputs: Readonly<Record<FormatId, FormatId>> = { xmlss: 'ooxml' }

/** By family: the seed that other formats of that family are made from. */
export const madeFrom: Readonly<Record<string, FormatId>> = {
  document: 'docx',
  spreadsheet: 'xlsx',
  presentation: 'pptx',
  graphics: 'fodg',
}
