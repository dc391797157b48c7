/** The static segments of a part, as they are numbered while its plan is made. */
import { makeStatics, type StaticTable } from '../statics.ts'

/** Above this number of segments, equal ones in loops share their numbers as well, so that the table stays small. */
const maxSeparateSegments = 4_000

/** Collects the static segments of a part and gives each an id. */
export class SegmentTable {
  readonly #texts: string[] = []
  /** Whether each segment is inside a loop, so that compressing it once for all copies pays. */
  readonly #repeated: boolean[] = []
  /** Numbers of the segments that may be shared, by their text. */
  readonly #shared = new Map<string, number>()

  /**
   * The number of a segment. Equal segments share one, but not those in loops: compression predicts what follows a segment
   * from what followed it in the iteration before, and that guess is better when each place has a number of its own.
   */
  add(text: string, repeated: boolean): number {
    const isSeparate = repeated && this.#texts.length < maxSeparateSegments
    const existing = isSeparate ? undefined : this.#shared.get(text)
    if (existing !== undefined) {
      if (repeated) this.#repeated[existing] = true
      return existing
    }
    const id = this.#texts.length
    this.#texts.push(text)
    this.#repeated.push(repeated)
    if (!isSeparate) this.#shared.set(text, id)
    return id
  }

  table(): StaticTable {
    return makeStatics(this.#texts, this.#repeated)
  }
}
