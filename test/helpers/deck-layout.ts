/** Presentations laid out, for the tests of `layout/deck/` and of the rules that it follows. */
import { nodeCodec } from '../../origin/codec.ts'
import { layoutDeck } from '../../plugins/engines/instant/layout/deck/layout-deck.ts'
import type { Frame, OutlineEntry, Page } from '../../plugins/engines/instant/layout/frame.ts'
import { readPptx } from '../../plugins/formats/pptx/slides/open.ts'
import type { Deck } from '../../shared/document/deck.ts'
import { defaultLimits } from '../../shared/limits.ts'
import { openZip } from '../../shared/office/zip.ts'
import type { Outcome, Warning } from '../../shared/plugin/values.ts'
import { zipOf } from './docx.ts'
import { shippedBook } from './instant-fonts.ts'
import { pptxOf } from './pptx.ts'

export const readSlides = (bytes: Uint8Array): Outcome<Deck> =>
  readPptx(bytes, { codec: nodeCodec, limits: defaultLimits })

/** The deck of slides that are given as the XML of their shapes. */
export const deckOf = async (...slides: readonly string[]): Promise<Deck> =>
  readSlides(await pptxOf(slides)).value

/** Lays a deck out. `maxSteps`: what the budget allows; beyond it, an error is thrown. */
export function layDeck(
  deck: Deck,
  { maxSteps = Infinity, warn = () => {} }: { maxSteps?: number; warn?: (warning: Warning) => void } = {},
): { readonly pages: readonly Page[]; readonly outline: readonly OutlineEntry[] } {
  let steps = 0
  return layoutDeck({
    deck,
    fonts: shippedBook.forDocument(),
    budget: {
      pages: 100,
      check(done = 1) {
        steps += done
        if (steps > maxSteps) throw new Error('too many steps')
      },
    },
    now: 0,
    image: () => undefined,
    vector: () => undefined,
    warn,
  })
}

/** A piece of text on a slide: where it begins, in points from the top left corner, its size and its colour. */
export interface DrawnRun {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly size: number
  readonly color: string
}

/** The texts of a slide in the order in which they are drawn. */
export function runsOf({ frame }: Page): DrawnRun[] {
  const visit = ({ items }: Frame, left: number, top: number): DrawnRun[] =>
    items.flatMap(({ x, y, item }): DrawnRun[] => {
      if (item.kind === 'group') return visit(item.frame, left + x, top + y)
      if (item.kind !== 'glyphs' || item.run.text.trim() === '') return []
      const color = item.colour.toString(16).padStart(6, '0').toUpperCase()
      return [{ text: item.run.text, x: left + x, y: top + y, size: item.run.size, color }]
    })
  return visit(frame, 0, 0)
}

/** A package with some of its parts as the given functions change them, and with parts that it does not have yet. */
export function changedParts(
  bytes: Uint8Array,
  changes: Readonly<Record<string, (xml: string) => string>>,
  more: Readonly<Record<string, string>> = {},
): Promise<Uint8Array> {
  const archive = openZip(bytes, { codec: nodeCodec, limits: defaultLimits, format: 'pptx' })
  const parts = archive.entries.map((entry): [string, string] => {
    const text = new TextDecoder().decode(archive.read(entry))
    return [entry.name, changes[entry.name]?.(text) ?? text]
  })
  return zipOf({ ...Object.fromEntries(parts), ...more })
}

const emu = (points: number): number => Math.round(points * 12_700)

/** A shape in points with the given geometry, fill and text body. */
export const shapeOf = ({
  box = [0, 0, 300, 100],
  properties = '',
  body = '',
  paragraphs = '',
  names = '<p:nvPr/>',
}: {
  readonly box?: readonly [x: number, y: number, width: number, height: number] | undefined
  readonly properties?: string
  readonly body?: string
  readonly paragraphs?: string
  readonly names?: string
}): string => {
  const [x, y, width, height] = box.map(emu)
  const frame = `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="${height}"/></a:xfrm><a:prstGeom prst="rect"/>`
  const text =
    paragraphs === '' ? '' : `<p:txBody>${body === '' ? '<a:bodyPr/>' : body}${paragraphs}</p:txBody>`
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="Shape"/><p:cNvSpPr/>${names}</p:nvSpPr><p:spPr>${frame}${properties}</p:spPr>${text}</p:sp>`
}

/**
 * A paragraph of one run. `properties` and `run`: attributes of a:pPr and a:rPr, or elements inside of them.
 */
export const paragraphOf = (text: string, { properties = '', run = '' } = {}): string =>
  `<a:p>${element('a:pPr', properties)}<a:r>${element('a:rPr', run)}<a:t>${text}</a:t></a:r></a:p>`

const element = (name: string, content: string): string =>
  content.startsWith('<') ? `<${name}>${content}</${name}>` : `<${name} ${content}/>`
