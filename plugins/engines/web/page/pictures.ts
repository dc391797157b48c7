/**
 * The pictures of a page: data addresses and inline drawings. Others, and those that cannot be read, are replaced by their
 * alternative text.
 */

import type { Element } from 'hast'
import { toHtml } from 'hast-util-to-html'
import type { StyledElement } from '../../../../shared/css/cascade.ts'
import { attributeOf } from '../../../../shared/css/selector.ts'
import { minOf } from '../../../../shared/extremes.ts'
import { xml } from '../../../../shared/flow/write-odf.ts'
import { measureImage } from '../../../../shared/images/measure.ts'
import { fromBase64, toBase64 } from '../../../../shared/plugin/base64.ts'
import type { PageOdfStyles } from './odf/document.ts'
import { pt } from './odf/nodes.ts'

interface LoadedPicture {
  readonly bytes: Uint8Array
  readonly mime: string
  readonly width: number // pt
  readonly height: number
}

const pointsAPixel = 0.75
/** Types of pictures that `measureImage` reads; a file of these types that it does not recognise is invalid. */
const measurable = /^image\/(?:png|jpe?g|gif|webp|bmp)$/
const maxLength = 5000

export class Pictures {
  readonly #loaded = new Map<Element, LoadedPicture | undefined>()

  /** Returns undefined when there is nothing to draw. */
  of({ element, style }: StyledElement): LoadedPicture | undefined {
    if (this.#loaded.has(element)) return this.#loaded.get(element)
    const loaded =
      element.tagName === 'svg' ? drawingOf(element) : dataOf(String(element.properties['src'] ?? ''))
    const picture = loaded && {
      ...loaded,
      ...sizeOf(loaded.bytes, style.length('width'), style.length('height')),
    }
    this.#loaded.set(element, picture)
    return picture
  }

  /** Returns a frame inside the text, or beside it when the picture floats. `available` is the available width. */
  frame(styled: StyledElement, available: number, styles: PageOdfStyles): string | undefined {
    const picture = this.of(styled)
    if (picture === undefined) return undefined
    const { style, element } = styled
    let { width, height } = picture
    const relativeWidth = /%\s*$/.test(style.get('width') ?? '')
      ? style.length('width', available)
      : undefined
    const limits = [relativeWidth, style.length('max-width', available), available].filter(
      (limit) => limit !== undefined && limit > 0,
    )
    const requested = relativeWidth ?? Math.min(width, minOf(limits as number[]))
    const scaled = Math.min(requested, available)
    if (scaled !== width) [width, height] = [scaled, (height * scaled) / width]
    const highest = style.length('max-height')
    if (highest !== undefined && highest > 0 && height > highest)
      [width, height] = [(width * highest) / height, highest]
    const float = style.word('float')
    const aside = float === 'left' || float === 'right'
    const margin = (side: string) => `${pt(Math.max(0, style.length(`margin-${side}`) ?? 0))}`
    const position = aside
      ? `style:wrap="parallel" style:number-wrapped-paragraphs="no-limit" style:vertical-pos="top" style:vertical-rel="paragraph" style:horizontal-pos="${float}" style:horizontal-rel="paragraph"`
      : `style:vertical-pos="${style.word('vertical-align') === 'middle' ? 'middle' : 'bottom'}" style:vertical-rel="${style.word('vertical-align') === 'middle' ? 'line' : 'baseline'}"`
    const name = styles.name(
      'graphic',
      undefined,
      `<style:graphic-properties ${position} fo:margin-left="${margin('left')}" fo:margin-right="${margin('right')}" fo:margin-top="${aside ? margin('top') : '0pt'}" fo:margin-bottom="${aside ? margin('bottom') : '0pt'}"/>`,
    )
    const text = attributeOf(element, 'alt') ?? attributeOf(element, 'title') ?? ''
    const described = text === '' ? '' : `<svg:desc>${xml(text)}</svg:desc>`
    return `<draw:frame draw:style-name="${name}" text:anchor-type="${aside ? 'paragraph' : 'as-char'}" svg:width="${pt(width)}" svg:height="${pt(height)}"><draw:image draw:mime-type="${xml(picture.mime)}"><office:binary-data>${toBase64(picture.bytes)}</office:binary-data></draw:image>${described}</draw:frame>`
  }
}

function dataOf(source: string): { bytes: Uint8Array; mime: string } | undefined {
  const data = /^\s*data:(image\/[\w.+-]+)((?:;[\w=.-]+)*),/i.exec(source)
  if (data === null) return undefined
  const mime = (data[1] ?? '').toLowerCase()
  const rest = source.slice(data[0].length)
  const payload = rest.includes('%') ? decoded(rest) : rest
  const bytes = /;base64/i.test(data[2] ?? '')
    ? fromBase64(payload.replace(/\s+/g, ''))
    : new TextEncoder().encode(payload)
  if (bytes === undefined || bytes.length === 0) return undefined
  // A frame with bytes that are not a picture makes a file that Word does not open.
  return measurable.test(mime) && measureImage(bytes) === undefined ? undefined : { bytes, mime }
}

function drawingOf(element: Element): { bytes: Uint8Array; mime: string } {
  const standalone: Element = {
    ...element,
    properties: { ...element.properties, xmlns: 'http://www.w3.org/2000/svg' },
  }
  const text = toHtml(standalone, { space: 'svg', closeEmptyElements: true })
  return { bytes: new TextEncoder().encode(text), mime: 'image/svg+xml' }
}

function sizeOf(
  bytes: Uint8Array,
  wide: number | undefined,
  high: number | undefined,
): { width: number; height: number } {
  const measured = measureImage(bytes)
  const naturalWidth = measured === undefined || measured.width <= 0 ? 150 : measured.width * pointsAPixel
  const naturalHeight = measured === undefined || measured.height <= 0 ? 100 : measured.height * pointsAPixel
  const width =
    wide !== undefined && wide > 0
      ? wide
      : high !== undefined && high > 0
        ? (high * naturalWidth) / naturalHeight
        : naturalWidth
  const height = high !== undefined && high > 0 ? high : (width * naturalHeight) / naturalWidth
  return { width: Math.min(width, maxLength), height: Math.min(height, maxLength) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
