/**
 * Slides that repeat or vanish. A loop that begins on one slide and ends on another goes over the entries of the list of
 * slides; each copy gets a part of its own. Source: template language 11.3; ECMA-376-1, 19.2.1.33.
 */

import { type CopyEntry, copiesOf } from '../../../../shared/office/opc/copies.ts'
import { targetOf } from '../../../../shared/office/opc/names.ts'
import type { Repeat, RepeatSource } from '../../../../shared/office/opc/open.ts'
import { repeatedAmong } from '../../../../shared/office/opc/stretches.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import type { ElementToken, Token } from '../../../../shared/template/scan/tokens.ts'
import { type RenderScope, scopeKey } from '../../../../shared/template/scope.ts'

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
  /** Relationship of a slide of the template -> the slides that it became. */
  const written = scopeKey<Map<string, Written[]>>('slides written')
  const writtenIn = (scope: RenderScope): Map<string, Written[]> => scope.obtain(written, () => new Map())
  const idKey = scopeKey<number>('id of a slide')
  const freshId = (scope: RenderScope): string => {
    const next = (scope.get(idKey) ?? highest) + 1
    scope.set(idKey, next)
    return String(next)
  }
  const slideEntry = (slide: Slide, rules: FormatRules): Token => ({
    kind: 'computed',
    offset: 0,
    compute: () => '',
    embedded: {
      packages: [
        {
          format: 'pptx',
          rules,
          parts: parts.filter(({ name }) => within.get(slide.part)!.has(name)),
        },
      ],
      write(scope, [fill]) {
        const copy = copies.make(scope, slide.part, new Set(), fill!)
        const known = writtenIn(scope)
        const id = copy.number === 1 ? slide.id : freshId(scope)
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
    prepare(part, tokens, rules) {
      if (part !== list) return tokens
      const byId = new Map([...repeated.values()].map((slide) => [slide.id, slide]))
      return tokens.flatMap((token): Token[] => {
        if (token.kind !== 'void' && token.kind !== 'open') return [token]
        const own = repeated.get(attribute(token, 'r:id') ?? '')
        if (token.name === 'p:sldId' && own !== undefined) return opened(token, slideEntry(own, rules))
        // Sections name slides by their id, custom shows by their relationship.
        const named =
          token.name === 'p14:sldId'
            ? byId.get(attribute(token, 'id') ?? '')
            : token.name === 'p:sld'
              ? own
              : undefined
        if (named === undefined || token.kind !== 'void') return [token]
        const compute = (scope: RenderScope) =>
          (writtenIn(scope).get(named.relation) ?? [])
            .map(({ id, relation }) =>
              token.name === 'p:sld' ? `<p:sld r:id="${relation}"/>` : `<p14:sldId id="${id}"/>`,
            )
            .join('')
        return [{ kind: 'computed', offset: token.offset, compute }]
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

const attribute = (token: ElementToken, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(token.raw)?.[1]

/** The element with its attributes computed. */
function opened(token: ElementToken, computed: Token): Token[] {
  const { name, offset } = token
  const head: Token[] = [{ kind: 'open', name, raw: `<${name}`, offset }, computed]
  return token.kind === 'void'
    ? [...head, { kind: 'close', name, raw: '/>', offset }]
    : [...head, { kind: 'text', raw: '>', offset, markup: true }]
}
