import { readImage } from '../../plugins/engines/instant/images/read-image.ts'
import type { Frame, Page } from '../../plugins/engines/instant/layout/frame.ts'
import { type LaidOut, layoutDocument } from '../../plugins/engines/instant/layout/layout-document.ts'
import { readDocx } from '../../plugins/formats/docx/reader/index.ts'
import type { Document } from '../../shared/document/document.ts'
import type { Warning } from '../../shared/plugin/values.ts'
import { shippedBook } from './instant-fonts.ts'

/** The parts of a small word processing document; all but the body may be left out. */
export interface WordParts {
  readonly body: string
  readonly styles?: string // inside w:styles, after the defaults
  readonly defaults?: string // inside w:docDefaults
  readonly numbering?: string // inside w:numbering
  readonly settings?: string // inside w:settings
  readonly footnotes?: string // inside w:footnotes
  readonly endnotes?: string // inside w:endnotes
  readonly header?: string // blocks of header1.xml, relationship 'header'
  readonly section?: string // inside w:sectPr
}

const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const arial =
  '<w:rPrDefault><w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:cs="Arial"/><w:sz w:val="20"/></w:rPr></w:rPrDefault>'
/** A4 with an inch around: 451.3 by 697.9 pt of text. */
const a4 =
  '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720"/>'

const root = (name: string, content: string): string =>
  `<w:${name} xmlns:w="${namespace}" xmlns:r="${office}">${content}</w:${name}>`

export function wordParts(parts: WordParts): Map<string, Uint8Array> {
  const files: Record<string, string> = {
    '_rels/.rels': relationships({ officeDocument: 'word/document.xml' }),
    'word/_rels/document.xml.rels': relationships({
      styles: 'styles.xml',
      numbering: 'numbering.xml',
      settings: 'settings.xml',
      footnotes: 'footnotes.xml',
      ...(parts.endnotes !== undefined && { endnotes: 'endnotes.xml' }),
      header: 'header1.xml',
    }),
    'word/document.xml': root(
      'document',
      `<w:body>${parts.body}<w:sectPr>${parts.section ?? a4}</w:sectPr></w:body>`,
    ),
    'word/styles.xml': root(
      'styles',
      `<w:docDefaults>${parts.defaults ?? arial}</w:docDefaults>${parts.styles ?? ''}`,
    ),
    'word/numbering.xml': root('numbering', parts.numbering ?? ''),
    'word/settings.xml': root('settings', parts.settings ?? mode15),
    'word/footnotes.xml': root('footnotes', parts.footnotes ?? ''),
    'word/endnotes.xml': root('endnotes', parts.endnotes ?? ''),
    'word/header1.xml': root('hdr', parts.header ?? ''),
  }
  const encoder = new TextEncoder()
  return new Map(Object.entries(files).map(([name, text]) => [name, encoder.encode(text)]))
}

export const mode15 = '<w:compat><w:compatSetting w:name="compatibilityMode" w:val="15"/></w:compat>'

function relationships(targets: Readonly<Record<string, string>>): string {
  const list = Object.entries(targets).map(
    ([type, target]) => `<Relationship Id="${type}" Type="${office}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join('')}</Relationships>`
}

export function readWord(parts: WordParts): Document {
  const files = wordParts(parts)
  return readDocx((name) => files.get(name)).value
}

export function readWordWithWarnings(parts: WordParts): readonly Warning[] {
  const files = wordParts(parts)
  return readDocx((name) => files.get(name)).warnings
}

export interface Line {
  readonly page: number // from 1
  readonly x: number
  readonly y: number // of the baseline, from the top of the page
  readonly text: string
}

export interface Laid extends LaidOut {
  readonly lines: readonly Line[]
  readonly warnings: readonly Warning[]
}

/** Lays a document out with the fonts that ship with the engine. `steps` bounds the work: an endless loop fails. */
export function layWord(parts: WordParts, limits: { pages?: number; steps?: number } = {}): Laid {
  return lay(readWord(parts), limits)
}

export function lay(
  document: Document,
  {
    pages = 500,
    steps = 3_000_000,
    pictures = false,
  }: { pages?: number; steps?: number; pictures?: boolean } = {},
): Laid {
  const warnings: Warning[] = []
  let left = steps
  const laid = layoutDocument({
    now: Date.UTC(2026, 10, 21, 12),
    document,
    fonts: shippedBook.forDocument(),
    image: (name) => (pictures ? readImage(document.media.get(name) ?? new Uint8Array()) : undefined),
    vector: () => undefined,
    budget: {
      pages,
      check() {
        if (--left < 0) throw new Error('the layout takes too many steps')
      },
    },
    warn: (warning) => warnings.push(warning),
  })
  return { ...laid, lines: linesOf(laid.pages), warnings }
}

/** The texts of all pages with their places, runs on one baseline joined, from top to bottom. */
export function linesOf(pages: readonly Page[]): Line[] {
  return pages.flatMap((page, index) => {
    const found: Line[] = []
    collect(page.frame, 0, 0, index + 1, found)
    return joined(found.sort((a, b) => a.y - b.y || a.x - b.x))
  })
}

function collect(frame: Frame, x: number, y: number, page: number, into: Line[]): void {
  for (const placed of frame.items) {
    const { item } = placed
    if (item.kind === 'group') collect(item.frame, x + placed.x, y + placed.y, page, into)
    else if (item.kind === 'glyphs' && item.run.text.trim() !== '') {
      into.push({ page, x: x + placed.x, y: y + placed.y, text: item.run.text })
    }
  }
}

function joined(runs: readonly Line[]): Line[] {
  const lines: Line[] = []
  for (const run of runs) {
    const last = lines.at(-1)
    if (last !== undefined && Math.abs(last.y - run.y) < 0.01) {
      lines[lines.length - 1] = { ...last, text: `${last.text}|${run.text}` }
    } else lines.push({ ...run, x: round(run.x), y: round(run.y) })
  }
  return lines
}

export const round = (value: number): number => Math.round(value * 100) / 100

/** A paragraph of text with the given properties. */
export const p = (text: string, properties = '', run = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:rPr>${run}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

/** `count` paragraphs 'l1', 'l2' ... */
export const filler = (count: number): string =>
  Array.from({ length: count }, (_, i) => p(`l${i + 1}`)).join('')

export const cell = (content: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`
export const row = (cells: readonly string[], properties = ''): string =>
  `<w:tr><w:trPr>${properties}</w:trPr>${cells.join('')}</w:tr>`
export const table = (rows: readonly string[], widths: readonly number[], properties = ''): string =>
  `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/>${properties}</w:tblPr><w:tblGrid>${widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>${rows.join('')}</w:tbl>`

/** Single borders of a width in eighths of a point on every edge. */
export const grid = (size: number): string =>
  `<w:tblBorders>${['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map((side) => `<w:${side} w:val="single" w:sz="${size}" w:space="0" w:color="000000"/>`).join('')}</w:tblBorders>`
