/** What a scan of an incoming document found, gathered over all of its parts. */
import type { Warning } from '../../plugin/contract.ts'

/** What a link that was dropped would have brought in. Words of ours: what the document says is not repeated. */
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

/** An address that no office can resolve (CSS Values 4, 4.5.4). */
export const nowhere = 'about:invalid'

export class Findings {
  /** The document carries fonts, which an office keeps until it ends. */
  hasEmbeddedFonts = false
  /** The document defines symbols for formulas, which an office keeps until it ends. */
  hasFormulaSymbols = false
  readonly #dropped = new Map<LinkKind, number>()

  drop(kind: LinkKind): void {
    this.#dropped.set(kind, (this.#dropped.get(kind) ?? 0) + 1)
  }

  warnings(): readonly Warning[] {
    return [...this.#dropped].map(([kind, count]) => ({
      code: 'office.link-dropped',
      message: `${count === 1 ? 'One link' : `${count} links`} of the document to ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind} outside of it ${count === 1 ? 'was' : 'were'} not followed.`,
    }))
  }
}
