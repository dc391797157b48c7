/** The results of scanning an incoming document, collected over all of its parts. */
import { pictureNotLoaded } from '../../net/page-files.ts'
import type { Warning } from '../../plugin/values.ts'

/**
 * The kind of resource that a dropped link would have loaded. Messages use only these words and quote nothing from
 * the document.
 */
export type LinkKind =
  | 'picture'
  | 'text'
  | 'table'
  | 'object'
  | 'template'
  | 'data source'
  | 'sound or film'
  | 'font'
  | 'style sheet'
  | 'file'

/** An address that no office program can resolve (CSS Values 4, 4.5.4). */
export const nowhere = 'about:invalid'

export class ScannedContent {
  /** The document has embedded fonts, which an office process keeps until it ends. */
  hasEmbeddedFonts = false
  /** The document defines symbols for formulas, which an office process keeps until it ends. */
  hasFormulaSymbols = false
  /** A relationship refers to a part that is named like a picture but has other content. */
  hasPartNamedAsMedia = false
  readonly #dropped = new Map<LinkKind, number>()
  readonly #pictureReasons: readonly string[]

  /** `pictureReasons`: why pictures that could have been fetched were not. */
  constructor(pictureReasons: readonly string[] = []) {
    this.#pictureReasons = pictureReasons
  }

  drop(kind: LinkKind): void {
    this.#dropped.set(kind, (this.#dropped.get(kind) ?? 0) + 1)
  }

  warnings(): readonly Warning[] {
    return [...this.#dropped].map(([kind, count]) => {
      const reasons = kind === 'picture' ? this.#pictureReasons : []
      const because = reasons.length > 0 ? `: ${reasons.join('; ')}` : ''
      const article = /^[aeiou]/.test(kind) ? 'an' : 'a'
      const links = count === 1 ? 'One link' : `${count} links`
      const were = count === 1 ? 'was' : 'were'
      return {
        code: reasons.length > 0 ? pictureNotLoaded : 'office.link-dropped',
        message: `${links} of the document to ${article} ${kind} outside of it ${were} not followed${because}.`,
      }
    })
  }
}
