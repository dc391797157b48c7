/** Names of the parts of a presentation for messages: "slide 3", "notes of slide 3", "layout Title". */

import { entryOf } from '../../../../shared/entry-of.ts'
import { relationsOf } from '../../../../shared/office/opc/names.ts'
import { partsRelatedIn } from '../../../../shared/office/opc/relationships.ts'
import type { Token } from '../../../../shared/template/scan/tokens.ts'
import { attributeOf } from '../../../../shared/xml/elements.ts'
import { decodeEntities } from '../../../../shared/xml/scan.ts'
import { list, slidesOf } from './slides.ts'

const masters: Readonly<Record<string, string>> = {
  'p:sldMaster': 'slide master',
  'p:notesMaster': 'master of the notes',
  'p:handoutMaster': 'master of handouts',
}

/**
 * Labels the root element of a part. `text` returns the text of other parts and is called only before this function returns.
 */
export function namedSlides(text: (part: string) => string | undefined) {
  const names = new Map<string, string>()
  slidesOf(text(list) ?? '', text(relationsOf(list)) ?? '').forEach(({ part }, at) => {
    names.set(part, `slide ${at + 1}`)
    const notes = notesOf(part, text(relationsOf(part)) ?? '')
    if (notes !== undefined) names.set(notes, `notes of slide ${at + 1}`)
  })
  return (part: string, tokens: readonly Token[]): readonly Token[] => {
    const at = tokens.findIndex(({ kind }) => kind === 'open')
    const root = tokens[at]
    if (root?.kind !== 'open') return tokens
    const label =
      names.get(part) ??
      entryOf(masters, root.name) ??
      (root.name === 'p:sldLayout' ? layoutOf(tokens) : undefined)
    return label === undefined ? tokens : tokens.with(at, { ...root, label })
  }
}

function notesOf(slide: string, relations: string): string | undefined {
  return partsRelatedIn(relations, slide).find(({ kind }) => kind === 'notesSlide')?.target
}

function layoutOf(tokens: readonly Token[]): string {
  const content = tokens.find((token) => token.kind === 'open' && token.name === 'p:cSld')
  const name = content?.kind === 'open' ? attributeOf(content.raw, 'name') : undefined
  return name === undefined ? 'a layout' : `layout ${decodeEntities(name)}`
}
