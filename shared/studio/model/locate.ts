import type { ReceivedProblem } from './client.ts'

/** The place where the author of a template can correct a problem. */
export type ProblemTarget =
  | { readonly kind: 'text'; readonly start: number; readonly end: number } // offsets in the text of the template
  | { readonly kind: 'data'; readonly path: string } // 'd.customer.name'

/**
 * Finds the place of a problem: a position in the text of a template that is edited here, or the data that lack a
 * value. Undefined for a position in a document that only its own program can show. `text` is undefined for such a
 * template.
 */
export function targetOf(problem: ReceivedProblem, text: string | undefined): ProblemTarget | undefined {
  const { code, place, where } = problem
  if (code === 'template.data.missing' && where !== undefined) return { kind: 'data', path: where }
  const line = Number(/^line (\d+)$/.exec(place?.at ?? '')?.[1])
  if (text === undefined || place === undefined || Number.isNaN(line)) return undefined
  const start = offsetOfLine(text, line)
  if (start === undefined) return undefined
  const { tag = '' } = place
  const index = tag === '' ? -1 : text.indexOf(tag, start)
  if (index >= 0) return { kind: 'text', start: index, end: index + tag.length }
  const end = text.indexOf('\n', start)
  return { kind: 'text', start, end: end < 0 ? text.length : end }
}

/** `line` counts from 1. */
function offsetOfLine(text: string, line: number): number | undefined {
  let start = 0
  for (let n = 1; n < line; n += 1) {
    start = text.indexOf('\n', start) + 1
    if (start === 0) return undefined
  }
  return start
}

/**
 * The range of the name in a JSON text below which `path` belongs: of "customer" for 'd.customer.name', and the start
 * for 'd.name'. Names are searched one after the other, without parsing the text, since it may be invalid.
 */
export function nearestName(text: string, path: string): { readonly start: number; readonly end: number } {
  const parents = path.split('.').slice(1, -1)
  let [start, end] = [0, 0]
  for (const parent of parents) {
    const name = JSON.stringify(parent.replace(/(?:\[\])+$/, ''))
    const index = text.indexOf(name, end)
    if (index < 0) break
    start = index
    end = index + name.length
  }
  return { start, end }
}
