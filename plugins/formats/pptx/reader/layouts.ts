/**
 * The properties that slides inherit from their layout and master: the positions of placeholders and the bullets of their
 * paragraphs.
 */
import type { FlowBox } from '../../../../shared/flow/reading-order.ts'
import { readRelationships, targetOf } from '../../../../shared/office/ooxml/relationships.ts'
import { emu } from '../../../../shared/office/ooxml/values.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import {
  contentTypes,
  isTitle,
  type PlaceholderName,
  placeholderNamed,
  readPlaceholderName,
} from '../placeholder.ts'
import { type BulletLevels, readBulletLevels } from './text.ts'
import { openSlidePart, orUndefined } from './vocabulary.ts'

interface Placeholder extends PlaceholderName {
  readonly box: FlowBox | undefined
  readonly bullets: BulletLevels
}

/** A layout or master. */
interface SlideFrame {
  readonly placeholders: readonly Placeholder[]
  /** The bullets of titles, of bodies and of other text; only masters have them. */
  readonly styles: ReadonlyMap<string, BulletLevels>
}

/** The properties that a placeholder of a slide inherits. */
export interface Inherited {
  readonly type: string // of the placeholder on the layout, which is more specific
  readonly box: FlowBox | undefined
  readonly bullets: readonly BulletLevels[] // nearest first
}

const empty: SlideFrame = { placeholders: [], styles: new Map() }

/** Reads each layout and each master only once. */
export class SlideLayouts {
  readonly #parts: ReadFile
  readonly #frames = new Map<string, SlideFrame>()
  readonly #masters = new Map<string, string>()

  constructor(parts: ReadFile) {
    this.#parts = parts
  }

  /** The properties that a placeholder of a slide inherits from the layout and its master. */
  inherited(layoutPart: string | undefined, name: PlaceholderName): Inherited {
    const layout = this.#frame(layoutPart)
    const master = this.#frame(this.#masterOf(layoutPart))
    const outer = placeholderNamed(layout.placeholders, name)
    const type = name.type === 'obj' && outer !== undefined ? outer.type : name.type
    const outermost = placeholderNamed(master.placeholders, {
      type: contentTypes.has(type) ? 'body' : type,
      index: '',
    })
    const style = master.styles.get(isTitle(type) ? 'p:titleStyle' : 'p:bodyStyle')
    return {
      type,
      box: outer?.box ?? outermost?.box,
      bullets: [outer?.bullets, outermost?.bullets, style].filter((levels) => levels !== undefined),
    }
  }

  #masterOf(layoutPart = ''): string {
    const cached = this.#masters.get(layoutPart)
    const master = cached ?? targetOf(readRelationships(this.#parts, layoutPart), 'slideMaster') ?? ''
    this.#masters.set(layoutPart, master)
    return master
  }

  #frame(part = ''): SlideFrame {
    const cached = this.#frames.get(part)
    if (cached !== undefined) return cached
    const frame = orUndefined(() => {
      const cursor = openSlidePart(this.#parts(part))
      return cursor && readFrame(cursor)
    })
    this.#frames.set(part, frame ?? empty)
    return frame ?? empty
  }
}

function readFrame(cursor: XmlCursor): SlideFrame {
  const placeholders: Placeholder[] = []
  const styles = new Map<string, BulletLevels>()
  const visit = (name: string): void => {
    if (name === 'p:cSld' || name === 'p:spTree' || name === 'p:grpSp') cursor.each(visit)
    else if (name === 'p:sp') {
      const placeholder = readPlaceholder(cursor)
      if (placeholder !== undefined) placeholders.push(placeholder)
    } else if (name === 'p:txStyles') cursor.each((style) => void styles.set(style, readBulletLevels(cursor)))
  }
  cursor.each(visit)
  return { placeholders, styles }
}

function readPlaceholder(cursor: XmlCursor): Placeholder | undefined {
  let placeholderName: PlaceholderName | undefined
  let box: FlowBox | undefined
  let bullets: BulletLevels = new Map()
  const visit = (name: string): void => {
    if (name === 'p:nvSpPr' || name === 'p:nvPr') cursor.each(visit)
    else if (name === 'p:ph') placeholderName = readPlaceholderName(cursor)
    else if (name === 'p:spPr') box = readBoxOf(cursor)
    else if (name === 'p:txBody')
      cursor.each((child) => {
        if (child === 'a:lstStyle') bullets = readBulletLevels(cursor)
      })
  }
  cursor.each(visit)
  return placeholderName && { ...placeholderName, box, bullets }
}

/** p:ph at the cursor. A placeholder without a type is an object placeholder (19.3.1.36). */
/** The box of a:xfrm among the children of the current element. */
function readBoxOf(cursor: XmlCursor): FlowBox | undefined {
  let box: FlowBox | undefined
  cursor.each((name) => {
    if (name === 'a:xfrm') box = readBox(cursor)
  })
  return box
}

/** a:xfrm or p:xfrm (20.1.7.6, 19.3.1.53) at the cursor, without its rotation. */
export function readBox(cursor: XmlCursor): FlowBox {
  let [x, y, width, height] = [0, 0, 0, 0]
  cursor.each((name) => {
    if (name === 'a:off') {
      x = emu(cursor.attribute('x')) ?? 0
      y = emu(cursor.attribute('y')) ?? 0
    } else if (name === 'a:ext') {
      width = emu(cursor.attribute('cx')) ?? 0
      height = emu(cursor.attribute('cy')) ?? 0
    }
  })
  return { x, y, width, height }
}
