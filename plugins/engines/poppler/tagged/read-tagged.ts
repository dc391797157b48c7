/**
 * Reads a tagged PDF by its tags: the structure tree determines order, headings, lists and tables, and the content
 * streams the position of each mark, by which the texts are found. Tags that do not match the visible content are
 * ignored.
 */

import type { FlowBlock } from '../../../../shared/flow/flow.ts'
import { plainText } from '../../../../shared/flow/flow.ts'
import type { PdfDocument } from '../../../../shared/pdf/model/document.ts'
import { pdfLimits } from '../../../../shared/pdf/model/limits.ts'
import { readPages } from '../../../../shared/pdf/model/pages.ts'
import { openPdf } from '../../../../shared/pdf/read/open.ts'
import type { PdfJob } from '../document.ts'
import { withoutRunning } from '../text/headers-footers.ts'
import type { DocumentText } from '../text/text-positions.ts'
import { assignMarks, type MarkedText } from './assign-marks.ts'
import { composeBlocks } from './compose-blocks.ts'
import { markedPositions } from './marked-positions.ts'
import { isElement, readStructure, type TaggedElement } from './structure-tree.ts'

const maxPages = 1_000
/** Maximum fraction of letters without a mark, or with a mark that the tree does not contain. */
const maxUnmarked = 0.02
/** Maximum fraction of paragraphs that end in the middle of a sentence which the next one continues. */
const maxTorn = 0.1
/** Minimum number of letters of a line of running text; shorter ones may be lines of an address or a poem. */
const minLine = 40

/** The blocks of a document by its tags; undefined if it has no reliable tags. */
export function readTagged({ pdf, host }: PdfJob, text: DocumentText): readonly FlowBlock[] | undefined {
  try {
    return blocksByTags(text, openPdf(pdf, host.codec, pdfLimits))
  } catch {
    // Poppler was able to read the file, and text without tags is better than none.
    return undefined
  }
}

function blocksByTags(text: DocumentText, document: PdfDocument): readonly FlowBlock[] | undefined {
  const pages = readPages(document)
  // Lines that run upward have no text positions, so their tags would be empty.
  const hasRotatedLines = text.pages.some(({ rotatedLines = [] }) => rotatedLines.length > 0)
  if (pages.length > maxPages || pages.length !== text.pages.length || hasRotatedLines) return undefined
  const tree = readStructure(document, pages)
  if (tree === undefined) return undefined
  const named = marksOf(tree)
  const clean = withoutRunning(text.pages)
  const marked: MarkedText[] = []
  let [good, bad] = [0, 0]
  for (const [at, page] of pages.entries()) {
    const positions = markedPositions(document, page)
    const assigned = assignMarks(clean[at] ?? { width: 0, height: 0, positions: [], pictures: [] }, positions)
    const unassigned = [...assigned.texts].filter(([mark]) => !named.has(`${at} ${mark}`))
    const strayLetters = unassigned
      .flatMap(([, parts]) => parts)
      .reduce((sum, part) => sum + part.text.length, 0)
    good += assigned.letters.marked - strayLetters
    bad += assigned.letters.unmarked + strayLetters + positions.lost
    marked.push(assigned)
  }
  if (good === 0 || bad > (good + bad) * maxUnmarked) return undefined
  const blocks = composeBlocks({ pages: clean, marked, tree })
  return blocks === undefined || isTorn(blocks) ? undefined : blocks
}

/** The marks that the tree contains, each as 'page mark'. */
function marksOf(tree: TaggedElement): Set<string> {
  const marks = new Set<string>()
  const visit = (element: TaggedElement): void => {
    for (const child of element.children) {
      if (isElement(child)) visit(child)
      else marks.add(`${child.page} ${child.mark}`)
    }
  }
  visit(tree)
  return marks
}

/** Whether many paragraphs are tagged line by line, as programs do that have no paragraphs. */
function isTorn(blocks: readonly FlowBlock[]): boolean {
  const texts = blocks.map((block) => (block.kind === 'paragraph' ? plainText(block.inlines).trim() : ''))
  const torn = texts.filter((text, at) => {
    const next = texts[at + 1] ?? ''
    return text.length >= minLine && /[\p{Ll},;\u2013-]$/u.test(text) && /^\p{Ll}/u.test(next)
  }).length
  return torn > 2 && torn > texts.filter((text) => text !== '').length * maxTorn
}
