/**
 * Addresses on a sheet whose name holds tags, `$'Prices {d.season}'.$B$4`: they follow the rows of that sheet, and name it
 * as this render does. Source: template language 24.4.
 */
import type { SheetModel, Sheets } from '../../../../shared/office/sheet/layout.ts'
import { cleanName } from '../../../../shared/office/sheet/names.ts'
import type { MarkupPiece, Notes, Piece } from '../../../../shared/template/scan/pieces.ts'
import { escaped } from './cells.ts'

const place = (n: number): string => `\uE002${n}\uE003`
const places = /\uE002(\d+)\uE003/g

/** The opening tag at `at` with its attributes in one text, tags as places in it; undefined where it holds none. */
function openingWithTags(
  pieces: readonly Piece[],
  at: number,
):
  | { readonly raw: string; readonly tags: readonly Extract<Piece, { kind: 'tag' }>[]; readonly next: number }
  | undefined {
  const open = pieces[at]!
  if (open.kind !== 'open' || open.raw.endsWith('>')) return undefined
  const tags: Extract<Piece, { kind: 'tag' }>[] = []
  let raw = open.raw
  for (let next = at + 1; next < pieces.length; next += 1) {
    const piece = pieces[next]!
    if (piece.kind === 'tag') {
      // Both corners of an area name the sheet.
      const known = tags.findIndex(({ text }) => text === piece.text)
      raw += place(known < 0 ? tags.push(piece) - 1 : known)
    } else if (piece.kind === 'text' && piece.markup === true) raw += piece.raw
    else if (piece.kind === 'close' && piece.raw.endsWith('/>'))
      return { raw: raw + piece.raw, tags, next: next + 1 }
    else return undefined
    if (raw.endsWith('>')) return tags.length === 0 ? undefined : { raw, tags, next: next + 1 }
  }
  return undefined
}

/** The name of the sheet that begins at `at`, its tags in braces. */
export function taggedName(pieces: readonly Piece[], at: number): string | undefined {
  const opening = openingWithTags(pieces, at)
  const name = /\stable:name="([^"]*)"/.exec(opening?.raw ?? '')?.[1]
  return name?.replace(places, (_, n: string) => `{${opening!.tags[Number(n)]!.text}}`)
}

/**
 * Elements outside of cells with such addresses. `follow` makes the pieces of an opening tag, computed where addresses
 * change; `Sheets` knows the sheet by the name with places.
 */
export function withTaggedNames(
  pieces: readonly Piece[],
  sheets: Sheets,
  follow: (piece: MarkupPiece, sheets: Sheets) => readonly Piece[],
): readonly Piece[] {
  // Sheets that repeat have a name for each copy.
  const tagged = [...sheets].filter(([name, { moves }]) => moves && /^[^[$]*\{[^[$]*$/.test(name))
  if (tagged.length === 0) return pieces
  const out: Piece[] = []
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at]!
    const opening =
      piece.kind === 'open' && piece.name !== 'table:table' ? openingWithTags(pieces, at) : undefined
    if (opening === undefined) {
      out.push(piece)
      continue
    }
    const { raw, tags, next } = opening
    const names = new Map<string, SheetModel>(sheets)
    const spelt = (text: string) => text.toLowerCase().replace(/\s+(?=[^{}]*\})/g, '')
    for (const [name, model] of tagged) {
      const pattern = tags.map((tag, n) => [spelt(`{${tag.text}}`), place(n)] as const)
      // The same tag may stand in several addresses of the element.
      for (const [text, mark] of pattern)
        if (spelt(name).includes(text)) names.set(spelt(name).replace(text, mark), model)
    }
    const isVoid = raw.endsWith('/>')
    const followed = follow({ ...(piece as MarkupPiece), kind: isVoid ? 'void' : 'open', raw }, names)
    if (followed.length === 1) {
      out.push(...pieces.slice(at, next))
      at = next - 1
      continue
    }
    const key = {}
    const fill = (text: string, notes: Notes) => {
      const values = (notes.get(key) as readonly string[] | undefined) ?? []
      return text.replace(places, (_, n: string) =>
        escaped(cleanName(values[Number(n)] ?? '').replaceAll("'", "''")),
      )
    }
    const { offset, name } = piece as MarkupPiece
    const texts = followed.filter(({ kind }) => kind !== 'close')
    out.push({ kind: 'open', name, raw: '', offset })
    tags.forEach((tag, n) => {
      const output = (value: unknown, text: (value: unknown) => string, notes: Notes) => {
        const values = (notes.get(key) as string[] | undefined) ?? []
        notes.set(key, values)
        values[n] = text(value)
        return ''
      }
      out.push({ ...tag, context: 'text', hidden: true, output })
    })
    out.push({
      kind: 'computed',
      offset,
      compute: (notes) =>
        texts
          .map((each) =>
            fill(each.kind === 'computed' ? each.compute(notes) : 'raw' in each ? each.raw : '', notes),
          )
          .join(''),
    })
    if (isVoid) out.push({ kind: 'close', name, raw: '/>', offset })
    at = next - 1
  }
  return out
}
