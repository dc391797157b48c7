/**
 * Splits runs for text that repeats inside a paragraph. Word processors split runs anywhere, so `a {d.l[i].n}, {d.l[i+1].n}
 * b` may be in one run or in five. Splitting the runs at the tags makes the repeated block depend on what the author sees,
 * and not on the runs of the word processor. Text elements are also marked to keep their blanks.
 */
import { entryOf } from '../../entry-of.ts'
import { pushAll } from '../../push-all.ts'
import type { FormatRules } from '../rules.ts'
import type { ElementToken, Token } from './tokens.ts'

/** Splits runs so that each tag has its own run, which can be removed when it becomes empty. */
export function splitRuns(tokens: readonly Token[], rules: FormatRules): readonly Token[] {
  const split = rules.runs === undefined ? tokens : splitAtMarkers(tokens, rules)
  return rules.keepBlanks === undefined ? split : keepBlanks(split, rules.keepBlanks)
}

/** Whether the brackets of a tag begin or end a loop. This runs before tags are parsed, so it reads the text. */
function loopRole(text: string): 'begins' | 'ends' | undefined {
  let loopPart: 'begins' | undefined
  for (let open = text.indexOf('['); open >= 0; open = text.indexOf('[', open + 1)) {
    const close = text.indexOf(']', open)
    if (close < 0) return loopPart
    for (const part of text.slice(open + 1, close).split(',')) {
      const word = part.trim()
      if (word.startsWith('i+1') || word.startsWith('I+1')) return 'ends'
      if (word === 'i' || word === 'I') loopPart = 'begins'
    }
    open = close
  }
  return loopPart
}

/** A tag that begins or ends a loop, in a run. */
interface Marker {
  readonly at: number
  readonly ends: boolean
  readonly run: number // index of the opening tag of its run
}

/**
 * Ends a run and begins another one before each loop tag of a paragraph, and after each [i+1]. A paragraph whose loop tags are
 * all in one run stays as it is: there the text between them repeats without any split.
 */
function splitAtMarkers(tokens: readonly Token[], rules: FormatRules): readonly Token[] {
  const splitBefore = new Set<number>()
  const splitAfter = new Set<number>()
  const stack: number[] = []
  let markers: Marker[] = []
  const addSplits = () => {
    if (markers.some(({ ends }) => ends) && new Set(markers.map(({ run }) => run)).size > 1) {
      for (const { at: index, ends } of markers) {
        splitBefore.add(index)
        if (ends) splitAfter.add(index)
      }
    }
    markers = []
  }
  tokens.forEach((token, index) => {
    if (token.kind === 'open') {
      if (rules.paragraphs.includes(token.name)) addSplits()
      stack.push(index)
    } else if (token.kind === 'close') {
      stack.pop()
      if (rules.paragraphs.includes(token.name)) addSplits()
    } else if (token.kind === 'tag' && token.context === 'text') {
      const role = loopRole(token.text)
      if (role === undefined) return
      const run = stack.findLast((open) => Object.hasOwn(rules.runs!, (tokens[open] as ElementToken).name))
      if (run !== undefined) markers.push({ at: index, ends: role === 'ends', run })
    }
  })
  if (splitBefore.size === 0) return tokens
  const result: Token[] = []
  const openElements: number[] = []
  tokens.forEach((token, index) => {
    if (splitBefore.has(index) && hasContentBefore(tokens, openElements, index, rules))
      pushAll(result, seam(tokens, openElements, rules))
    result.push(token)
    if (token.kind === 'open') openElements.push(index)
    else if (token.kind === 'close') openElements.pop()
    if (splitAfter.has(index) && tokens[index + 1]?.kind !== 'close')
      pushAll(result, seam(tokens, openElements, rules))
  })
  return result
}

/** Whether the innermost open run has text or a tag before token `stop`. */
function hasContentBefore(
  tokens: readonly Token[],
  openElements: readonly number[],
  stop: number,
  rules: FormatRules,
): boolean {
  const run = openElements.findLast((index) =>
    Object.hasOwn(rules.runs!, (tokens[index] as ElementToken).name),
  )
  if (run === undefined) return false
  for (let n = run + 1; n < stop; n += 1) {
    const token = tokens[n]
    if (token === undefined) break
    if (token.kind === 'tag' || (token.kind === 'text' && token.markup === undefined)) return true
  }
  return false
}

/** The tokens that end the innermost run and begin another one with the same properties. */
function seam(tokens: readonly Token[], openElements: readonly number[], rules: FormatRules): Token[] {
  const depth = openElements.findLastIndex((index) =>
    Object.hasOwn(rules.runs!, (tokens[index] as ElementToken).name),
  )
  if (depth < 0) return []
  const elements = openElements.slice(depth)
  const run = elements[0] ?? 0
  const { properties } = entryOf(rules.runs!, (tokens[run] as ElementToken).name)!
  const closing: Token[] = [...elements].reverse().map((index) => {
    const { name, offset } = tokens[index] as ElementToken
    return { kind: 'close', name, raw: `</${name}>`, offset }
  })
  const opening: Token[] = []
  for (const index of elements) {
    opening.push(tokens[index]!)
    if (index !== run) continue
    // The properties are the first elements of the run.
    let level = 0
    for (let n = run + 1; n < tokens.length; n += 1) {
      const token = tokens[n]
      if (token === undefined) break
      if (level === 0 && !('name' in token && properties.includes(token.name))) break
      opening.push(token)
      if (token.kind === 'open') level += 1
      else if (token.kind === 'close') level -= 1
    }
  }
  return [...closing, ...opening]
}

/**
 * Adds the attribute that keeps blanks to text elements which begin or end with a blank, or with a value that may. Removing a
 * tag from a text often leaves a blank at its edge, and word processors drop it without the attribute.
 */
function keepBlanks(
  tokens: readonly Token[],
  attributes: Readonly<Record<string, string>>,
): readonly Token[] {
  const result = [...tokens]
  let open = -1
  tokens.forEach((token, index) => {
    if (token.kind === 'open') open = Object.hasOwn(attributes, token.name) ? index : -1
    else if (token.kind === 'close') open = -1
    else if (open >= 0 && (token.kind === 'tag' || (token.kind === 'text' && /^\s|\s$/.test(token.raw)))) {
      const element = result[open] as ElementToken
      const [name = ''] = entryOf(attributes, element.name)!.split('=')
      if (!element.raw.includes(name) && element.raw.endsWith('>')) {
        result[open] = {
          ...element,
          raw: `${element.raw.slice(0, -1)} ${entryOf(attributes, element.name)!}>`,
        }
      }
      open = -1
    }
  })
  return result
}
