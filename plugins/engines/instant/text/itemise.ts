import type { Face } from '../fonts/face.ts'
import type { FaceRun } from '../fonts/font-book.ts'
import { embeddingLevels } from './bidi.ts'
import { needsComplexShaping, scriptOf } from './scripts.ts'

/** A run of text with one direction, one face and one way of shaping: the input of `shape`. */
export interface TextItem {
  readonly start: number
  readonly end: number
  readonly face: Face
  readonly level: number // odd for right to left
  readonly complex: boolean // shaped by HarfBuzz
}

/** The face of the text and what is known about its direction. */
export interface ItemiseStyle {
  readonly face: Face
  /**
   * The levels of the entire paragraph when the text is a part of it; absent to compute them from the text
   * alone.
   */
  readonly levels?: Uint8Array | undefined
  readonly offset?: number // where `text` starts in the paragraph
  readonly direction?: 'ltr' | 'rtl' | 'auto'
}

/**
 * Divides text where the direction, the face or the way of shaping changes. Items are in logical order and
 * cover all of it.
 */
export function itemise(
  text: string,
  style: ItemiseStyle,
  facesOf: (text: string, face: Face) => readonly FaceRun[],
): TextItem[] {
  const levels = style.levels ?? embeddingLevels(text, style.direction ?? 'ltr')
  const offset = style.levels === undefined ? 0 : (style.offset ?? 0)
  const complexText = needsComplexShaping(text)
  const items: TextItem[] = []
  for (const { start, end, face } of facesOf(text, style.face)) {
    if (levels === undefined && !complexText) {
      items.push({ start, end, face, level: 0, complex: false })
      continue
    }
    for (let from = start; from < end; ) {
      const level = levels?.[offset + from] ?? 0
      const complex = complexText && isComplexAt(text, from)
      let to = from + 1
      while (
        to < end &&
        (levels?.[offset + to] ?? 0) === level &&
        sameShaping(text, to, complex, complexText)
      )
        to++
      items.push({ start: from, end: to, face, level, complex })
      from = to
    }
  }
  return items
}

/** Whether a character is shaped in the same way as the item before it. */
function sameShaping(text: string, at: number, complex: boolean, complexText: boolean): boolean {
  if (!complexText) return true
  const code = text.charCodeAt(at)
  // Spaces, marks, joiners and low surrogates stay with the character before them.
  if (code === 0x20 || (code >= 0xdc00 && code <= 0xdfff) || (code >= 0x200b && code <= 0x200f)) return true
  return (
    isComplexAt(text, at) === complex ||
    (complex && scriptOf(text.codePointAt(at) ?? 0) === 'DFLT' && code > 0x2ff)
  )
}

function isComplexAt(text: string, at: number): boolean {
  return needsComplexShaping(String.fromCodePoint(text.codePointAt(at) ?? 0))
}
