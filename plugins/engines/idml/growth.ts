import { unreadable } from './unreadable.ts'

/** Elements read, items placed, cells and values of styles: of a catalogue of a thousand pages some hundred thousand. */
const mostSteps = 4_000_000
const mostCharacters = 200_000_000
/** Frames in the text of frames: deeper ones are left out, so are those that hold themselves. */
export const deepestFrame = 8

/**
 * What a document may grow to. A few kilobytes can ask for more than any machine has: a master stands on every page, a
 * story in each frame that is turned, a frame in the text of another. Both throw 'convert.document'.
 */
export class Growth {
  #steps = mostSteps
  #characters = mostCharacters

  step(count = 1): void {
    this.#steps -= count
    if (this.#steps < 0) throw unreadable('its parts repeat each other too often')
  }

  written(text: string): string {
    this.#characters -= text.length
    if (this.#characters < 0) throw unreadable('its pages hold more than can be written')
    return text
  }
}
