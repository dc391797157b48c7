/**
 * Slides that repeat or vanish. A loop that begins on one slide and ends on another goes over the entries of the list of
 * slides; each copy gets a part of its own. Source: template language 11.3; ECMA-376-1, 19.2.1.33.
 */
import { type CopyEntry, copiesOf } from '../../../../shared/office/opc/copies.ts'
import { targetOf } from '../../../../shared/office/opc/names.ts'
import type { Repeat, RepeatSource } from '../../../../shared/office/opc/open.ts'
import { repeatedAmong } from '../../../../shared/office/opc/stretches.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import type { MarkupPiece, Notes, Piece } from '../../../../shared/template/scan/pieces.ts'

export const list = 'ppt/presentation.xml'

export interface Slide {
  readonly id: string
  readonly relation: string
  readonly part: string
}
/** A slide of the output. */
interface Written {
  readonly id: string
  readonly relation: string
}

/** Undefined when every slide is written once. */
export function repeatSlides({ parts, names, relations, contentTypes }: RepeatSource): Repeat | undefined {
  const texts = new Map(parts.map(({ name, text }) => [name, text]))
  const presentation = texts.get(list)
  if (presentation === undefined) return undefined
  const slides = slidesOf(presentation, relations.get(list) ?? '')
  const among = repeatedAmong(
    slides.map(({ part }) => texts.get(part) ?? ''),
    [presentation],
    'slide',
  )
  if (among.size === 0) return undefined
  const repeated = new Map<string, Slide>()
  for (const at of among) repeated.set(slides[at]!.relation, slides[at]!)
  const entries: CopyEntry[] = [...repeated.values()]
  const copies = copiesOf({ names, contentTypes, relations, list, entries })
  const within = new Map(entries.map(({ part }) => [part, new Set(copies.owned(part))]))
  const inside = new Set([...within.values()].flatMap((owned) => [...owned]))
  const highest = Math.max(
    255,
    ...[...presentation.matchAll(/<p:sldId\b[^<>]*\sid="(\d+)"/g)].map(([, id]) => Number(id)),
  )
  const written = {} // key of Map<relation of the template, Written[]>
  const writtenIn = (notes: Notes): Map<string, Written[]> => {
    const known = notes.get(written) as Map<string, Written[]> | undefined
    if (known !== undefined) return known
    const made = new Map<string, Written[]>()
    notes.set(written, made)
    return made
  }
  const idKey = {}
  const freshId = (notes: Notes): string => {
    const next = ((notes.get(idKey) as number | undefined) ?? highest) + 1
    notes.set(idKey, next)
    return String(next)
  }
  const slideEntry = (slide: Slide, rules: FormatRules): Piece => ({
    kind: 'computed',
    offset: 0,
    compute: () => '',
    inner: {
      packages: [
        {
          format: 'pptx',
          rules,
          parts: parts.filter(({ name }) => within.get(slide.part)!.has(name)),
        },
      ],
      write(notes, [fill]) {
        const copy = copies.make(notes, slide.part, new Set(), fill!)
        const known = writtenIn(notes)
        const id = copy.number === 1 ? slide.id : freshId(notes)
        const own = known.get(slide.relation)
        if (own === undefined) known.set(slide.relation, [{ id, relation: copy.relation }])
        else own.push({ id, relation: copy.relation })
        return ` id="${id}" r:id="${copy.relation}"`
      },
    },
  })
  return {
    parts: parts.filter(({ name }) => !inside.has(name)),
    finish: copies.finish,
    prepare(part, pieces, rules) {
      if (part !== list) return pieces
      const byId = new Map([...repeated.values()].map((slide) => [slide.id, slide]))
      return pieces.flatMap((piece): Piece[] => {
        if (piece.kind !== 'void' && piece.kind !== 'open') return [piece]
        const own = repeated.get(attribute(piece, 'r:id') ?? '')
        if (piece.name === 'p:sldId' && own !== undefined) return opened(piece, slideEntry(own, rules))
        // Sections name slides by their id, custom shows by their relationship.
        const named =
          piece.name === 'p14:sldId'
            ? byId.get(attribute(piece, 'id') ?? '')
            : piece.name === 'p:sld'
              ? own
              : undefined
        if (named === undefined || piece.kind !== 'void') return [piece]
        const compute = (notes: Notes) =>
          (writtenIn(notes).get(named.relation) ?? [])
            .map(({ id, relation }) =>
              piece.name === 'p:sld' ? `<p:sld r:id="${relation}"/>` : `<p14:sldId id="${id}"/>`,
            )
            .join('')
        return [{ kind: 'computed', offset: piece.offset, compute }]
      })
    },
  }
}

/** The slides of a presentation in their order; `relations`: the text of its relationships. */
export function slidesOf(presentation: string, relations: string): Slide[] {
  const targets = new Map<string, string>()
  for (const [element] of relations.matchAll(/<Relationship\b[^<>]*>/g)) {
    const id = /\sId="([^"]*)"/.exec(element)?.[1]
    const target = /\sTarget="([^"]*)"/.exec(element)?.[1]
    if (id !== undefined && target !== undefined) targets.set(id, targetOf(list, target))
  }
  return [...presentation.matchAll(/<p:sldId\b[^<>]*>/g)].flatMap(([element]) => {
    const relation = /\sr:id="([^"]*)"/.exec(element)?.[1] ?? ''
    const id = /\sid="([^"]*)"/.exec(element)?.[1] ?? ''
    const part = targets.get(relation)
    return part === undefined ? [] : [{ id, relation, part }]
  })
}

const attribute = (piece: MarkupPiece, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(piece.raw)?.[1]

/** The element with its attributes computed. */
function opened(piece: MarkupPiece, computed: Piece): Piece[] {
  const { name, offset } = piece
  const head: Piece[] = [{ kind: 'open', name, raw: `<${name}`, offset }, computed]
  return piece.kind === 'void'
    ? [...head, { kind: 'close', name, raw: '/>', offset }]
    : [...head, { kind: 'text', raw: '>', offset, markup: true }]
}
