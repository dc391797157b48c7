/**
 * How likely it is that engine I sets a document as LibreOffice does: the same pages, and nearly all words in their places.
 * The features of a document decide before it is laid out, and the decisions of its layout after that. A converter that may choose
 * another engine asks.
 */
import type { Document } from '../../../../shared/document/document.ts'
import type { LayoutDecisions } from '../layout/audit/record.ts'
import { type DoubtfulText, type DoubtReason, findDoubtfulText } from './doubtful-text.ts'

interface Doubt {
  readonly reason: DoubtReason | keyof LayoutDecisions
  /** What it is, in the plural, for a message. */
  readonly name: string
  /** The share of documents with it that come out different, between 0 and 1. */
  readonly risk: number
}

interface FeatureDoubt extends Doubt {
  readonly reason: DoubtReason
  /**
   * The share of the text from which it counts; 0: wherever it occurs. Text that few words stand in leaves the others in
   * their places.
   */
  readonly from: number
}

/** A box with less text than this leaves the document within the bars, whatever happens to it. */
const much = 0.12

/**
 * Observed on some 450 documents that were converted by both engines, rounded, and never trusted to a single document.
 * What is not listed comes out different as seldom as plain text does.
 */
export const doubts: readonly FeatureDoubt[] = [
  { reason: 'bordered-paragraph', name: 'paragraphs with borders', from: much, risk: 0.2 },
  { reason: 'cell-spacing', name: 'tables with space between cells', from: 0, risk: 0.6 },
  { reason: 'chart', name: 'charts', from: much, risk: 0.6 },
  { reason: 'columns', name: 'columns', from: much, risk: 0.6 },
  { reason: 'drop-cap', name: 'drop caps', from: 0, risk: 0.4 },
  { reason: 'equation', name: 'equations', from: much, risk: 0.6 },
  { reason: 'equation-picture', name: 'pictures of equations', from: much, risk: 0.6 },
  { reason: 'floating-table', name: 'floating tables', from: much, risk: 0.2 },
  { reason: 'form-box', name: 'boxes to check', from: 0, risk: 0.5 },
  { reason: 'indented-label', name: 'lists of early versions of OpenDocument', from: 0, risk: 0.4 },
  { reason: 'justified-arabic', name: 'justified lines of Arabic letters', from: much, risk: 0.6 },
  { reason: 'label-without-number', name: 'lists with labels without numbers', from: much, risk: 0.4 },
  {
    reason: 'loose-group',
    name: 'text in groups of shapes that are larger or smaller than their members',
    from: much,
    risk: 0.6,
  },
  { reason: 'nested-drawing', name: 'drawings placed by the page in text boxes', from: much, risk: 0.5 },
  { reason: 'noted-columns', name: 'notes below columns', from: 0, risk: 0.4 },
  { reason: 'nested-table', name: 'tables in tables', from: much, risk: 0.4 },
  { reason: 'raised-text', name: 'raised text', from: much, risk: 0.4 },
  { reason: 'relative-text-box', name: 'text boxes whose size depends on the page', from: much, risk: 0.4 },
  { reason: 'ruby', name: 'phonetic guides', from: much, risk: 0.6 },
  { reason: 'skipped-columns', name: 'rows that begin or end within their table', from: much, risk: 0.4 },
  { reason: 'text-box', name: 'text boxes', from: much, risk: 0.25 },
  { reason: 'turned-drawing', name: 'text around turned drawings', from: 0, risk: 0.4 },
  { reason: 'vertical-text', name: 'vertical text', from: much, risk: 0.5 },
  { reason: 'word-art', name: 'WordArt', from: much, risk: 0.5 },
]

/**
 * The same of what layout had to decide, once or more. Of eleven documents with rows that go on over the page and no notes beside them,
 * eight came out the same, and none of the others for its rows: such rows count only beside another doubt. All nine with notes beside
 * them came out different, because LibreOffice may leave the height of notes empty that moved on while it set the page. Lines below a
 * drawing were a doubt in all formats: of thirteen ODT that had little else eleven came out the same, of
 * seven DOCX two. They are one in ODF only where words found too little space.
 */
export const layoutDoubts: readonly (Doubt & { readonly reason: keyof LayoutDecisions })[] = [
  { reason: 'splitRows', name: 'rows that go on over the page', risk: 0.1 },
  { reason: 'splitRowsAmongNotes', name: 'rows that go on over the page beside notes', risk: 0.5 },
  { reason: 'linesBelowObstacles', name: 'lines that do not fit beside a drawing', risk: 0.4 },
]

export interface Confidence {
  /** Between 0 and 1: the share of documents with these doubts that are set as LibreOffice does. */
  readonly value: number
  /** The reasons, the gravest first. */
  readonly doubts: readonly Doubt[]
}

export function confidenceIn(document: Document): Confidence {
  const text = findDoubtfulText(document)
  return confidenceOf(doubts.filter((doubt) => counts(doubt, text)))
}

/** The confidence in a document when it has been laid out. */
export function confidenceAfter(before: Confidence, decisions: LayoutDecisions): Confidence {
  const met = layoutDoubts.filter(({ reason }) => decisions[reason] > 0)
  return confidenceOf([...before.doubts, ...met])
}

function confidenceOf(present: readonly Doubt[]): Confidence {
  return {
    value: present.reduce((value, { risk }) => value * (1 - risk), 1),
    doubts: present.toSorted((a, b) => b.risk - a.risk),
  }
}

function counts({ reason, from }: FeatureDoubt, { length, concerned }: DoubtfulText): boolean {
  const share = concerned.get(reason)
  return share !== undefined && (from === 0 || share > from * length)
}

/** One grave doubt, or two small ones, are too many. */
const enough = 0.7

/** Describes why another engine should set a document, as a clause for a message; undefined when none needs to. */
export function doubtfulBy({ value, doubts: present }: Confidence): string | undefined {
  if (value >= enough) return undefined
  const names = present.map(({ name }) => name)
  return `the places of its words are uncertain (confidence ${value.toFixed(2)}) because of ${names.join(', ')}`
}
