/**
 * Builds the structure of a presentation: a section for each slide, with its title as a heading, and its shapes from the back
 * to the front, which is the order that presentation programs read them in. ISO 32000-1, 14.8.4.
 */
import type { Inline } from '../../../../../shared/document/content.ts'
import type { Deck } from '../../../../../shared/document/deck.ts'
import type { Document } from '../../../../../shared/document/document.ts'
import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { Ownership } from '../../layout/ownership.ts'
import {
  add,
  type Build,
  illustrationOf,
  markDrawingArtifacts,
  type StructureElement,
  type StructureTree,
  startBuild,
  visitDrawing,
} from './structure-tree.ts'

/** `document` is the one in which the text of the slides was laid out. What slides have in common is not part of the structure. */
export function buildDeckStructure(
  { slides }: Deck,
  document: Document,
  { styles }: Ownership,
): StructureTree<readonly Inline[], Drawing> {
  const build = startBuild(document, styles)
  for (const { title, shapes } of slides) {
    const section = add('Sect', build.root)
    section.title = title
    for (const { drawing, role } of shapes) {
      if (role === 'repeated') {
        markDrawingArtifacts(build, drawing)
        continue
      }
      if (role === 'title') markTitle(build, drawing)
      visitPlaced(build, drawing, section)
    }
  }
  return build
}

/** Adds a drawing that stands by itself. Illustrations have an element of their own, which keeps their place among the texts. */
export function visitPlaced(build: Build, drawing: Drawing, parent: StructureElement): void {
  const container = hasIllustration(drawing) ? add('Div', parent) : parent
  visitDrawing(build, drawing, container, container)
}

const hasIllustration = (drawing: Drawing): boolean =>
  illustrationOf(drawing) !== undefined ||
  (drawing.content.kind === 'group' &&
    drawing.content.children.some((child) => hasIllustration(child.drawing)))

function markTitle({ titles }: Build, { content }: Drawing): void {
  const blocks = content.kind === 'shape' ? (content.text?.blocks ?? []) : []
  for (const block of blocks) if (block.kind === 'paragraph') titles.add(block.inlines)
}
