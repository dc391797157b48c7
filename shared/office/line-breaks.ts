/**
 * The markup of a line break at a tag. Runs and paragraphs are closed before the break and reopened with the same
 * properties. Where elements are not allowed, in names and in the properties of the document, a break is a line feed.
 */
import type { LineBreak } from '../template/rules.ts'
import type { Token } from '../template/scan/tokens.ts'
import { withoutAttribute } from '../xml/elements.ts'

/** A break where no element is allowed. */
export const lineFeed: LineBreak = ['\n']

/** The index of the innermost element with one of these names around a token; -1 without one. */
export function enclosing(
  tokens: readonly Token[],
  parent: Int32Array,
  index: number,
  names: readonly string[],
): number {
  for (let open = parent[index] ?? 0; open >= 0; open = parent[open] ?? 0) {
    const token = tokens[open]
    if (token === undefined) break
    if (token.kind === 'open' && names.includes(token.name)) return open
  }
  return -1
}

/**
 * The markup of a line break in DrawingML text: a break between two runs with the same properties. Undefined
 * elsewhere. Source: ECMA-376-1, 21.1.2.2.1.
 */
export function drawingBreak(
  tokens: readonly Token[],
  parent: Int32Array,
  index: number,
): LineBreak | undefined {
  const text = enclosing(tokens, parent, index, ['a:t'])
  if (text < 0) return undefined
  const run = parent[text] ?? 0
  const holder = tokens[run]
  // A field has a single text, which cannot be divided.
  if (holder?.kind !== 'open' || holder.name !== 'a:r') return lineFeed
  const properties: LineBreak[number][] = []
  for (let n = run + 1; n < text; n += 1) {
    const token = tokens[n]
    if (token === undefined) break
    if (token.kind === 'computed') properties.push(token.compute)
    else if (token.kind !== 'tag') properties.push(token.raw)
  }
  return ['</a:t></a:r><a:br>', ...properties, '</a:br><a:r>', ...properties, '<a:t>']
}

/** Ends a paragraph of OpenDocument and begins an identical one, because Calc shows no other break in a cell. */
export function paragraphBreak(tokens: readonly Token[], parent: Int32Array, index: number): LineBreak {
  const paragraph = enclosing(tokens, parent, index, ['text:p', 'text:h'])
  if (paragraph < 0) return lineFeed
  let closing = ''
  let opening = ''
  for (let open = parent[index] ?? 0; ; open = parent[open] ?? 0) {
    const token = tokens[open]!
    if (token.kind !== 'open') continue
    closing += `</${token.name}>`
    opening = (token.raw.endsWith('>') ? withoutAttribute(token.raw, 'xml:id') : `<${token.name}>`) + opening
    if (open === paragraph) return [closing + opening]
  }
}
