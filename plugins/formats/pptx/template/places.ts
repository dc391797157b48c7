/** What people call the parts of a presentation, for messages: "slide 3", "notes of slide 3", "layout Title". */
import { relationsOf, targetOf } from '../../../../shared/office/opc/names.ts'
import type { Piece } from '../../../../shared/template/scan/pieces.ts'
import { decodeEntities } from '../../../../shared/template/scan/xml.ts'
import { list, slidesOf } from './slides.ts'

const masters: Readonly<Record<string, string>> = {
  'p:sldMaster': 'slide master',
  'p:notesMaster': 'master of the notes',
  'p:handoutMaster': 'master of handouts',
}

/** Names the root of the pieces of a part. `text`: of other parts; asked at once, not later. */
export function namedSlides(text: (part: string) => string | undefined) {
  const names = new Map<string, string>()
  slidesOf(text(list) ?? '', text(relationsOf(list)) ?? '').forEach(({ part }, at) => {
    names.set(part, `slide ${at + 1}`)
    const notes = notesOf(part, text(relationsOf(part)) ?? '')
    if (notes !== undefined) names.set(notes, `notes of slide ${at + 1}`)
  })
  return (part: string, pieces: readonly Piece[]): readonly Piece[] => {
    const at = pieces.findIndex(({ kind }) => kind === 'open')
    const root = pieces[at]
    if (root?.kind !== 'open') return pieces
    const label =
      names.get(part) ?? masters[root.name] ?? (root.name === 'p:sldLayout' ? layoutOf(pieces) : undefined)
    return label === undefined ? pieces : pieces.with(at, { ...root, label })
  }
}

function notesOf(slide: string, relations: string): string | undefined {
  const element = /<Relationship\b[^<>]*\sType="[^"]*\/notesSlide"[^<>]*>/.exec(relations)?.[0] ?? ''
  const target = /\sTarget="([^"]*)"/.exec(element)?.[1]
  return target === undefined ? undefined : targetOf(slide, target)
}

function layoutOf(pieces: readonly Piece[]): string {
  const content = pieces.find((piece) => piece.kind === 'open' && piece.name === 'p:cSld')
  const name = content?.kind === 'open' ? /\sname="([^"]*)"/.exec(content.raw)?.[1] : undefined
  return name === undefined ? 'a layout' : `layout ${decodeEntities(name)}`
}
