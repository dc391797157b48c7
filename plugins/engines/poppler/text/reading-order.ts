/**
 * Text that is written from right to left. A page holds its characters as they are seen, from the left; here they come into
 * the order in which they are read. The way back from rule L2 of UAX #9, for lines without embeddings.
 */
import type { FlowInline } from '../../../../shared/flow/flow.ts'

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const leftToRight = /[\p{L}\p{Nd}]/u
/** What figures hold between their digits. */
const inFigures = /[\p{Nd}.,:/\-+%]/u
/** Shapes that letters take at their place in a word; they are the letters themselves. */
const shapes = /[\ufb1d-\ufdff\ufe70-\ufefc]/
const mirrored: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
}

interface Character {
  readonly of: Extract<FlowInline, { kind: 'text' }>
  readonly text: string
}

/** Whether most letters of a line are written from right to left. */
export function readsFromRight(text: string): boolean {
  if (!rightToLeft.test(text)) return false
  let balance = 0
  for (const character of text) {
    if (rightToLeft.test(character)) balance++
    else if (/\p{L}/u.test(character)) balance--
  }
  return balance > 0
}

/** The text of one line, given as it is seen. */
export function inReadingOrder(line: readonly FlowInline[]): readonly FlowInline[] {
  const text = line.map((one) => (one.kind === 'text' ? one.text : '')).join('')
  if (!rightToLeft.test(text) || line.some((one) => one.kind !== 'text')) return line
  const characters = line.flatMap((of): Character[] =>
    of.kind === 'text' ? Array.from(of.text, (one) => ({ of, text: one })) : [],
  )
  return inlinesOf(readsFromRight(text) ? fromRight(characters) : fromLeft(characters))
}

/** All of it is turned around, and what is Latin or a figure is turned back. */
function fromRight(characters: readonly Character[]): readonly Character[] {
  const turned = characters.toReversed().map(mirror)
  return turnRuns(turned, (one) => leftToRight.test(one) && !rightToLeft.test(one), back)
}

/** Only what is written from right to left is turned around, but not the figures in it. */
function fromLeft(characters: readonly Character[]): readonly Character[] {
  return turnRuns(
    characters,
    (one) => rightToLeft.test(one),
    (run) => turnRuns(run.toReversed().map(mirror), (one) => /\p{Nd}/u.test(one), back, inFigures),
  )
}

/** Runs begin and end with a character that `is` takes; between those anything may stand that is neither way. */
function turnRuns(
  characters: readonly Character[],
  is: (text: string) => boolean,
  turn: (run: readonly Character[]) => readonly Character[],
  between?: RegExp,
): readonly Character[] {
  const out: Character[] = []
  for (let at = 0; at < characters.length; ) {
    if (!is((characters[at] as Character).text)) {
      out.push(characters[at++] as Character)
      continue
    }
    let end = at + 1
    for (let next = end; next < characters.length; next++) {
      const { text } = characters[next] as Character
      if (is(text)) end = next + 1
      else if (between === undefined ? isStrong(text) : !between.test(text)) break
    }
    out.push(...turn(characters.slice(at, end)))
    at = end
  }
  return out
}

function isStrong(text: string): boolean {
  return rightToLeft.test(text) || /\p{L}/u.test(text)
}

function back(run: readonly Character[]): readonly Character[] {
  return run.toReversed().map(mirror)
}

function mirror({ of, text }: Character): Character {
  return { of, text: mirrored[text] ?? text }
}

function inlinesOf(characters: readonly Character[]): readonly FlowInline[] {
  const out: Extract<FlowInline, { kind: 'text' }>[] = []
  let before: Character['of'] | undefined
  for (const { of, text } of characters) {
    const letter = shapes.test(text) ? text.normalize('NFKC') : text
    const last = out.at(-1)
    if (last !== undefined && before === of) out[out.length - 1] = { ...last, text: last.text + letter }
    else out.push({ ...of, text: letter })
    before = of
  }
  return out
}
