/**
 * Rewriting of pieces for values that show elsewhere than where their tag stands: a tag in the alternative text of a
 * picture decides about size and file, which are written before it. The tag is moved to the beginning of its element
 * and leaves its value with the render; computed pieces behind it write what follows from it.
 */
import { textOf } from '../emit/value.ts'
import type { MarkupPiece, Notes, Piece, TagPiece } from '../scan/pieces.ts'
import { decodeEntities } from '../scan/xml.ts'
import { composedLink, editorsPlace } from './link.ts'
import { type Box, mediaOf, type Placed } from './media.ts'

/** Tags that act on markup and are no values. */
const acting = /:(?:drop|keep|set|color|transform|showBegin|showEnd|hideBegin|hideEnd)(?:\([^()]*\))?$/
export const isValueTag = ({ text }: TagPiece): boolean => !/^[#to]/.test(text) && !acting.test(text)

/** A picture whose placeholder has `box`: what stands at its beginning, and what it turned out to be. */
export interface PictureSlot {
  readonly begin: readonly Piece[]
  readonly placed: (notes: Notes) => Placed
}

export function pictureSlot(tag: TagPiece, box: Box): PictureSlot {
  interface State {
    value: unknown
    placed?: Placed
  }
  const key = {}
  const { offset } = tag
  return {
    begin: [
      // A tag that is left out by its own filter says nothing: what the copy before left must not show again.
      {
        kind: 'computed',
        offset,
        compute: (notes) => {
          notes.set(key, { value: undefined } satisfies State)
          return ''
        },
      },
      {
        ...tag,
        shows: 'picture',
        output: (value, _text, notes) => {
          notes.set(key, { value } satisfies State)
          return ''
        },
      },
    ],
    placed(notes) {
      const state = notes.get(key) as State
      state.placed ??= mediaOf(notes).place(state.value, box)
      return state.placed
    },
  }
}

/**
 * The pieces of an opening tag one of whose attributes is a link with tags: `write` gives the attribute from the
 * address, '' to leave it out. `next` is the first piece behind. undefined when piece `at` is no such tag.
 */
export function linkPieces(
  pieces: readonly Piece[],
  at: number,
  attribute: RegExp,
  write: (address: string | undefined, attribute: string, notes: Notes) => string,
): { readonly pieces: readonly Piece[]; readonly next: number } | undefined {
  const open = pieces[at]!
  if (open.kind !== 'open') return undefined
  const found = /\s([\w:.-]+)\s*=\s*(["'])([^"']*)$/.exec(open.raw)
  if (found === null || !attribute.test(found[1]!)) return undefined
  const [, name = '', quote = '"', head = ''] = found
  const key = {}
  const { offset } = open
  const fixed: string[] = [decodeEntities(head)] // the stretch before each tag, and the last one
  const out: Piece[] = []
  const values = (notes: Notes): unknown[] => {
    const known = notes.get(key) as unknown[] | undefined
    if (known !== undefined) return known
    const fresh: unknown[] = []
    notes.set(key, fresh)
    return fresh
  }
  const computed: Piece = {
    kind: 'computed',
    offset,
    compute(notes) {
      const written = values(notes)
      notes.delete(key)
      const stretches = fixed.flatMap((text, n) => (n < fixed.length - 1 ? [text, written[n]] : [text]))
      return write(composedLink(stretches, textOf), name, notes)
    },
  }
  for (let n = at + 1; n < pieces.length; n += 1) {
    const piece = pieces[n]!
    if (piece.kind === 'tag') {
      const place = fixed.length - 1
      fixed.push('')
      const output: TagPiece['output'] = (value, _text, notes) => {
        values(notes)[place] = value
        return ''
      }
      out.push(isValueTag(piece) ? { ...piece, shows: 'link', output } : piece)
      continue
    }
    if (piece.kind !== 'text' && piece.kind !== 'close') return undefined
    const end = piece.raw.indexOf(quote)
    if (end < 0) {
      fixed[fixed.length - 1] += decodeEntities(piece.raw)
      continue
    }
    fixed[fixed.length - 1] += decodeEntities(piece.raw.slice(0, end))
    fixed[0] = fixed[0]!.replace(editorsPlace, '')
    const rest: Piece = { ...piece, raw: piece.raw.slice(end + 1) }
    const begin: Piece = { ...open, raw: open.raw.slice(0, found.index) }
    return fixed.length > 1 ? { pieces: [begin, ...out, computed, rest], next: n + 1 } : undefined
  }
  return undefined
}

/** The index of the piece that closes what piece `at` opens. */
export function closeOf(pieces: readonly Piece[], at: number): number {
  let depth = 0
  for (let n = at; n < pieces.length; n += 1) {
    const { kind } = pieces[n]!
    if (kind === 'open') depth += 1
    if (kind === 'close' && --depth === 0) return n
  }
  return pieces.length - 1
}

/**
 * The pieces with elements rewritten: `isWanted` picks opening pieces, `rewrite` gets the whole element; where it gives
 * undefined the element stays, and what it holds is looked at.
 */
export function withElements(
  pieces: readonly Piece[],
  isWanted: (piece: MarkupPiece, at: number) => boolean,
  rewrite: (element: readonly Piece[]) => readonly Piece[] | undefined,
): readonly Piece[] {
  const out: Piece[] = []
  let changed = false
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at]!
    if (piece.kind === 'open' && isWanted(piece, at)) {
      const close = closeOf(pieces, at)
      const found = rewrite(pieces.slice(at, close + 1))
      if (found !== undefined) {
        out.push(...found)
        at = close
        changed = true
        continue
      }
    }
    out.push(piece)
  }
  return changed ? out : pieces
}
