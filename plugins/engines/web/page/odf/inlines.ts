/** The inside of a paragraph: pieces of text with their looks, and what stands between them. */
import { spaced, xml } from '../../../../../shared/flow/write-odf.ts'
import type { OdfStyles } from './document.ts'
import type { Values } from './nodes.ts'

export type Piece =
  | {
      readonly kind: 'text'
      readonly text: string
      readonly look: Values
      readonly link?: string
      readonly kept?: 'lines' | 'all' // white space
    }
  | { readonly kind: 'break' }
  /** `shown`: it takes room on the line. */
  | {
      readonly kind: 'xml'
      readonly xml: string
      readonly shown: boolean
      readonly link?: string
      readonly tab?: number // it leads there
    }

/** White space as CSS Text Level 3, 4.1 has it: runs are one space, none at the ends of a line. */
export function collapsed(pieces: readonly Piece[]): readonly Piece[] {
  const out: Piece[] = []
  let blank = true
  const trim = () => {
    for (let at = out.length - 1; at >= 0; at--) {
      const one = out[at] as Piece
      if (one.kind === 'xml' && !one.shown) continue
      if (one.kind !== 'text' || one.kept === 'all' || !one.text.endsWith(' ')) return
      const text = one.text.slice(0, -1)
      if (text === '') out.splice(at, 1)
      else out[at] = { ...one, text }
      return
    }
  }
  for (const piece of pieces) {
    if (piece.kind !== 'text') {
      if (piece.kind === 'break') trim()
      out.push(piece)
      if (piece.kind === 'break') blank = true
      else if (piece.shown) blank = false
      continue
    }
    if (piece.kept === 'all') {
      if (piece.text !== '') out.push(piece)
      blank = blank && piece.text === ''
      continue
    }
    const lines = piece.kept === 'lines' ? piece.text.split('\n') : [piece.text]
    for (const [at, line] of lines.entries()) {
      if (at > 0) {
        trim()
        out.push({ kind: 'break' })
        blank = true
      }
      let text = line.replace(/[ \t\r\n\f]+/g, ' ')
      if (blank) text = text.replace(/^ /, '')
      if (text === '') continue
      blank = text.endsWith(' ')
      out.push({ ...piece, text })
    }
  }
  trim()
  return out
}

/** Whether anybody sees it. */
export function isShown(pieces: readonly Piece[]): boolean {
  return pieces.some((piece) =>
    piece.kind === 'text' ? piece.text !== '' : piece.kind === 'break' || piece.shown,
  )
}

export function writePieces(pieces: readonly Piece[], paragraph: Values, styles: OdfStyles): string {
  const joined: Piece[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    if (
      piece.kind === 'text' &&
      last?.kind === 'text' &&
      last.link === piece.link &&
      last.kept === piece.kept &&
      sameLook(last.look, piece.look)
    )
      joined[joined.length - 1] = { ...last, text: last.text + piece.text }
    else joined.push(piece)
  }
  // The last break of a block ends its line and begins no other.
  const last = joined.findLastIndex((piece) => piece.kind !== 'xml' || piece.shown)
  if (last > 0 && joined[last]?.kind === 'break') joined.splice(last, 1)
  return joined
    .map((piece) => {
      if (piece.kind === 'break') return '<text:line-break/>'
      if (piece.kind === 'xml') return linked(piece.xml, piece.link)
      const style = styles.span(piece.look, paragraph)
      const text = spaced(piece.kept === 'all' ? piece.text.replace(/\r\n?/g, '\n') : piece.text)
      return linked(
        style === undefined ? text : `<text:span text:style-name="${style}">${text}</text:span>`,
        piece.link,
      )
    })
    .join('')
}

function linked(content: string, link: string | undefined): string {
  return link === undefined
    ? content
    : `<text:a xlink:type="simple" xlink:href="${xml(link)}" text:style-name="Internet_20_link" text:visited-style-name="Internet_20_link">${content}</text:a>`
}

function sameLook(one: Values, other: Values): boolean {
  if (one === other) return true
  for (const [name, value] of one) if (other.get(name) !== value) return false
  return true
}
