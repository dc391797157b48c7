/**
 * Slides that repeat or vanish. A loop that begins on one slide and ends on another repeats the entries of the slide list
 * between them; each copy gets its own part. Source: template language 11.3; ECMA-376-1, 19.2.1.33.
 */

import { maxOf } from '../../../../shared/extremes.ts'
import { type CopyEntry, copiesOf } from '../../../../shared/office/opc/copies.ts'
import type { Repeat, RepeatSource } from '../../../../shared/office/opc/open.ts'
import { partsRelatedIn } from '../../../../shared/office/opc/relationships.ts'
import { repeatedAmong } from '../../../../shared/office/opc/repeated-parts.ts'
import { inOneTag } from '../../../../shared/template/media/tokens.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import type { ElementToken, Token } from '../../../../shared/template/scan/tokens.ts'
import { type RenderScope, scopeKey } from '../../../../shared/template/scope.ts'
import { attributeOf, elementsIn } from '../../../../shared/xml/elements.ts'

/** The part that lists the slides. */
export const list = 'ppt/presentation.xml'

/** An entry of the list of slides. */
export interface Slide {
  readonly id: string
  readonly relation: string
  readonly part: string
}
/** A slide of the output. */
interface WrittenSlide {
  readonly id: string
  readonly relation: string
}

/** Returns undefined if every slide is written once. */
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
    maxOf(
      [...elementsIn(presentation, 'p:sldId')].map(({ attributes }) =>
        Number(attributeOf(attributes, 'id') ?? 0),
      ),
    ),
  )
  /** Relationship of a template slide -> the slides that were written for it. */
  const written = scopeKey<Map<string, WrittenSlide[]>>('slides written')
  const writtenIn = (scope: RenderScope): Map<string, WrittenSlide[]> =>
    scope.obtain(written, () => new Map())
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
        const written = writtenIn(scope)
        const id = copy.number === 1 ? slide.id : freshId(scope)
        const slides = written.get(slide.relation)
        if (slides === undefined) written.set(slide.relation, [{ id, relation: copy.relation }])
        else slides.push({ id, relation: copy.relation })
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
      return inOneTag(tokens, ['p:sld', 'p14:sldId']).flatMap((token): Token[] => {
        if (token.kind !== 'void' && token.kind !== 'open') return [token]
        const copies = repeated.get(attribute(token, 'r:id') ?? '')
        if (token.name === 'p:sldId' && copies !== undefined) return opened(token, slideEntry(copies, rules))
        // Sections refer to slides by id, custom shows by relationship.
        const named =
          token.name === 'p14:sldId'
            ? byId.get(attribute(token, 'id') ?? '')
            : token.name === 'p:sld'
              ? copies
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

/** The slides of a presentation in order. `relations` is the text of its relationships. */
export function slidesOf(presentation: string, relations: string): Slide[] {
  const targets = new Map<string, string>()
  for (const { id, target } of partsRelatedIn(relations, list)) targets.set(id, target)
  return [...elementsIn(presentation, 'p:sldId')].flatMap(({ attributes }) => {
    const relation = attributeOf(attributes, 'r:id') ?? ''
    const id = attributeOf(attributes, 'id') ?? ''
    const part = targets.get(relation)
    return part === undefined ? [] : [{ id, relation, part }]
  })
}

const attribute = (token: ElementToken, name: string): string | undefined => attributeOf(token.raw, name)

/** The element with its attributes computed. */
function opened(token: ElementToken, computed: Token): Token[] {
  const { name, offset } = token
  const head: Token[] = [{ kind: 'open', name, raw: `<${name}`, offset }, computed]
  return token.kind === 'void'
    ? [...head, { kind: 'close', name, raw: '/>', offset }]
    : [...head, { kind: 'text', raw: '>', offset, markup: true }]
}
