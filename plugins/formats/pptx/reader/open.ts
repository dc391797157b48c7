/**
 * Reads PPTX into the flow model: slides as headings with their text, tables, charts and notes. Read `shapes.ts` next.
 * Source: ECMA-376-1, clause 19.
 */

import type { FlowBlock } from '../../../../shared/flow/flow.ts'
import {
  blocksOfLines,
  flowOfSlides,
  type Slide,
  SlideBudget,
  type SlideItem,
  titleOfLines,
} from '../../../../shared/flow/from-slides.ts'
import { partsOfOoxml } from '../../../../shared/office/ooxml/parts.ts'
import { readRelationships, targetOf } from '../../../../shared/office/ooxml/relationships.ts'
import { emu, isOn } from '../../../../shared/office/ooxml/values.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import type { FlowReader } from '../../../../shared/plugin/contract.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import { SlideLayouts } from './layouts.ts'
import { readShapes, type SlideContext } from './shapes.ts'
import { readTextBody } from './text.ts'
import { openSlidePart, orUndefined } from './vocabulary.ts'

/** The maximum number of slides. Further slides are omitted. */
const maxSlides = 20_000

export const pptxReader: FlowReader = {
  read(bytes, context) {
    const parts = partsOfOoxml(bytes, context, 'pptx')
    const budget = new SlideBudget()
    const main = targetOf(readRelationships(parts, ''), 'officeDocument') ?? 'ppt/presentation.xml'
    const { slides: names, height } = readPresentation(parts, main)
    for (let excess = names.length - maxSlides; excess > 0; excess--) budget.lose('slides beyond the limit')
    const reader = new PresentationReader(parts, budget, names.slice(0, maxSlides))
    const slides = reader.slides().map((slide) => ({ ...slide, ...(height !== undefined && { height }) }))
    const title = readTitle(parts)
    const { flow, warnings } = flowOfSlides({ ...(title && { title }), slides, pictures: budget.pictures })
    return { value: flow, warnings: [...warnings, ...budget.warnings] }
  },
}

/** p:presentation (19.2.1.26): the parts of the slides in order, each once, and the height of a slide in points. */
function readPresentation(parts: ReadFile, main: string): { slides: string[]; height: number | undefined } {
  const relationships = readRelationships(parts, main)
  const slides = new Set<string>()
  let height: number | undefined
  const cursor = openSlidePart(parts(main))
  cursor?.each((name) => {
    if (name === 'p:sldSz') height = emu(cursor.attribute('cy'))
    else if (name === 'p:sldIdLst')
      cursor.each(() => {
        const slide = relationships.get(cursor.attribute('r:id') ?? '')
        if (slide !== undefined && !slide.external) slides.add(slide.target)
      })
  })
  return { slides: [...slides], height }
}

/** The title of the presentation, unless it is the default title of PowerPoint. */
function readTitle(parts: ReadFile): string {
  const part = targetOf(readRelationships(parts, ''), 'core-properties')
  let title = ''
  orUndefined(() => {
    const cursor = openSlidePart(part === undefined ? undefined : parts(part))
    cursor?.each((name) => {
      if (name === 'dc:title') title = cursor.text().trim()
    })
  })
  return title === 'PowerPoint Presentation' ? '' : title
}

class PresentationReader {
  readonly #parts: ReadFile
  readonly #budget: SlideBudget
  readonly #anchors: ReadonlyMap<string, string>
  readonly #layouts: SlideLayouts
  readonly #charts = new Map<string, readonly FlowBlock[]>()

  constructor(parts: ReadFile, budget: SlideBudget, slides: readonly string[]) {
    this.#parts = parts
    this.#budget = budget
    this.#layouts = new SlideLayouts(parts)
    this.#anchors = new Map(slides.map((part, at) => [part, `slide-${at + 1}`]))
  }

  slides(): Slide[] {
    return [...this.#anchors].map(([part, anchor]) => {
      const read = orUndefined(() => this.#slide(part, anchor))
      if (read === undefined) this.#budget.lose('slides that cannot be read')
      return read ?? { anchor, hidden: false, opening: false, title: [], items: [], notes: [] }
    })
  }

  /** p:sld (19.3.1.38); undefined for a part that is missing. */
  #slide(part: string, anchor: string): Slide | undefined {
    const relationships = readRelationships(this.#parts, part)
    const cursor = openSlidePart(this.#parts(part))
    if (cursor === undefined) return undefined
    const hidden = !isOn(cursor.attribute('show') ?? 'true')
    let title: Slide['title'] = []
    let opening = false
    let items: SlideItem[] = []
    const extra: SlideItem[] = []
    const context: SlideContext = {
      cursor,
      relationships,
      budget: this.#budget,
      anchors: this.#anchors,
      parts: this.#parts,
      layouts: this.#layouts,
      layout: targetOf(relationships, 'slideLayout'),
      charts: this.#charts,
      onTitle: (lines, type) => {
        // A second title is ordinary text.
        if (title.length > 0) extra.push({ blocks: blocksOfLines(lines) })
        else title = titleOfLines(lines)
        opening = opening || type === 'ctrTitle'
      },
    }
    cursor.each((name) => {
      if (name !== 'p:cSld') return
      cursor.each((child) => {
        if (child === 'p:spTree') items = readShapes(context)
      })
    })
    const notes = orUndefined(() => this.#notes(targetOf(relationships, 'notesSlide'))) ?? []
    // Comments before 2018 (19.4.4) and threaded comments both have a relationship type with this name.
    if (targetOf(relationships, 'comments') !== undefined) this.#budget.lose('comments, counted by slide')
    return { anchor, hidden, opening, title, items: [...items, ...extra], notes }
  }

  /** The text of the notes of a slide (19.3.1.26): the body placeholder of the notes page, not its picture of the slide. */
  #notes(part: string | undefined): readonly FlowBlock[] {
    const cursor = openSlidePart(part === undefined ? undefined : this.#parts(part))
    if (part === undefined || cursor === undefined) return []
    const relationships = readRelationships(this.#parts, part)
    const text = { cursor, relationships, budget: this.#budget, anchors: this.#anchors }
    const blocks: FlowBlock[] = []
    let isBody = false
    const visit = (name: string): void => {
      if (name === 'p:sp') {
        isBody = false
        cursor.each(visit)
      } else if (name === 'p:ph') isBody = cursor.attribute('type') === 'body'
      else if (name === 'p:txBody' && isBody) pushAll(blocks, blocksOfLines(readTextBody(text, []).lines))
      else if (name === 'p:cSld' || name === 'p:spTree' || name === 'p:nvSpPr' || name === 'p:nvPr')
        cursor.each(visit)
    }
    cursor.each(visit)
    return blocks
  }
}
