/**
 * Reads a tagged PDF by its tags: the structure tree gives order, headings, lists and tables, and the content of pages
 * gives the place of each mark, by which the texts are found. Tags that do not hold what the pages show are not
 * followed.
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
/** The part of the letters that may be marked with nothing, or with what the tree does not name. */
const maxUnmarked = 0.02
/** The part of the paragraphs that may end in the middle of a sentence that the next one goes on with. */
const maxTorn = 0.1
/** The letters of a line of running text; shorter ones may be lines of an address or a poem. */
const minLine = 40

/** The blocks of a document by its tags; undefined where it has none that are sound. */
export function readTagged({ pdf, host }: PdfJob, text: DocumentText): readonly FlowBlock[] | undefined {
  try {
    return blocksByTags(text, openPdf(pdf, host.codec, pdfLimits))
  } catch {
    // Poppler has read the file, and a text by its layout is better than none.
    return undefined
  }
}

function blocksByTags(text: DocumentText, document: PdfDocument): readonly FlowBlock[] | undefined {
  const pages = readPages(document)
  // Lines that run upward have no text positions, so their tags would be empty.
  const hasAside = text.pages.some(({ aside = [] }) => aside.length > 0)
  if (pages.length > maxPages || pages.length !== text.pages.length || hasAside) return undefined
  const tree = readStructure(document, pages)
  if (tree === undefined) return undefined
  const named = marksOf(tree)
  const clean = withoutRunning(text.pages)
  const marked: MarkedText[] = []
  let [good, bad] = [0, 0]
  for (const [at, page] of pages.entries()) {
    const positions = markedPositions(document, page)
    const assigned = assignMarks(clean[at] ?? { width: 0, height: 0, positions: [], pictures: [] }, positions)
    const stray = [...assigned.texts].filter(([mark]) => !named.has(`${at} ${mark}`))
    const strayLetters = stray.flatMap(([, parts]) => parts).reduce((sum, part) => sum + part.text.length, 0)
    good += assigned.letters.marked - strayLetters
    bad += assigned.letters.unmarked + strayLetters + positions.lost
    marked.push(assigned)
  }
  if (good === 0 || bad > (good + bad) * maxUnmarked) return undefined
  const blocks = composeBlocks({ pages: clean, marked, tree })
  return blocks === undefined || isTorn(blocks) ? undefined : blocks
}

/** The marks that the tree names, each as 'page mark'. */
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

/** Whether paragraphs are often tagged line by line, as programs do that know only the lines. */
function isTorn(blocks: readonly FlowBlock[]): boolean {
  const texts = blocks.map((block) => (block.kind === 'paragraph' ? plainText(block.inlines).trim() : ''))
  const torn = texts.filter((text, at) => {
    const next = texts[at + 1] ?? ''
    return text.length >= minLine && /[\p{Ll},;\u2013-]$/u.test(text) && /^\p{Ll}/u.test(next)
  }).length
  return torn > 2 && torn > texts.filter((text) => text !== '').length * maxTorn
}
