import { unreadable } from './unreadable.ts'

/**
 * Maximum number of elements read, items placed, cells and style values. A catalogue of a thousand pages
 * needs some hundred thousand.
 */
const maxSteps = 4_000_000
const maxCharacters = 200_000_000
/**
 * Maximum nesting of frames in the text of frames. Deeper ones are dropped, and so are those that contain
 * themselves.
 */
export const maxFrameDepth = 8

/**
 * Counts the elements that a document expands to. A few kilobytes can expand to more than any machine can hold: a
 * master is repeated on every page, a story in each rotated frame, a frame in the text of another. Both methods throw
 * 'convert.document'.
 */
export class Growth {
  #steps = maxSteps
  #characters = maxCharacters

  step(count = 1): void {
    this.#steps -= count
    if (this.#steps < 0) throw unreadable('its parts repeat each other too often')
  }

  written(text: string): string {
    this.#characters -= text.length
    if (this.#characters < 0) throw unreadable('its pages have more content than can be written')
    return text
  }
}
