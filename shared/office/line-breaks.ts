/**
 * The markup of a line break where a tag stands: runs and paragraphs are closed and opened again as they were. Where no
 * element can stand, in properties of the document or in names, a break is a line feed.
 */
import type { LineBreak } from '../template/rules.ts'
import type { Token } from '../template/scan/tokens.ts'

export const lineFeed: LineBreak = ['\n']

/** Around `at`, from the inside out: the index of the first element of that name; -1 without one. */
export function around(
  tokens: readonly Token[],
  parent: Int32Array,
  at: number,
  names: readonly string[],
): number {
  for (let open = parent[at]!; open >= 0; open = parent[open]!) {
    const token = tokens[open]!
    if (token.kind === 'open' && names.includes(token.name)) return open
  }
  return -1
}

/** In text of DrawingML: a break between two runs of the same looks. Undefined elsewhere. Source: ECMA-376-1, 21.1.2.2.1. */
export function drawingBreak(
  tokens: readonly Token[],
  parent: Int32Array,
  at: number,
): LineBreak | undefined {
  const text = around(tokens, parent, at, ['a:t'])
  if (text < 0) return undefined
  const run = parent[text]!
  const holder = tokens[run]
  // A field stands for one text: it cannot be cut.
  if (holder?.kind !== 'open' || holder.name !== 'a:r') return lineFeed
  const looks: LineBreak[number][] = []
  for (let n = run + 1; n < text; n += 1) {
    const token = tokens[n]!
    if (token.kind === 'computed') looks.push(token.compute)
    else if (token.kind !== 'tag') looks.push(token.raw)
  }
  return ['</a:t></a:r><a:br>', ...looks, '</a:br><a:r>', ...looks, '<a:t>']
}

/** Ends the paragraph of OpenDocument and begins one like it: a cell of Calc knows no other break. */
export function paragraphBreak(tokens: readonly Token[], parent: Int32Array, at: number): LineBreak {
  const paragraph = around(tokens, parent, at, ['text:p', 'text:h'])
  if (paragraph < 0) return lineFeed
  let closing = ''
  let opening = ''
  for (let open = parent[at]!; ; open = parent[open]!) {
    const token = tokens[open]!
    if (token.kind !== 'open') continue
    closing += `</${token.name}>`
    opening =
      (token.raw.endsWith('>') ? token.raw.replace(/ xml:id="[^"]*"/, '') : `<${token.name}>`) + opening
    if (open === paragraph) return [closing + opening]
  }
}
