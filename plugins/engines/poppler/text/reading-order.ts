/**
 * Text that is written from right to left. A page stores its characters in visual order; here they are put
 * into logical order, which reverses rule L2 of UAX #9 for lines without embeddings.
 */

import { entryOf } from '../../../../shared/entry-of.ts'
import type { FlowInline } from '../../../../shared/flow/flow.ts'
import { normalForm } from '../../../../shared/normal-form.ts'
import { pushAll } from '../../../../shared/push-all.ts'

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const leftToRight = /[\p{L}\p{Nd}]/u
/** Digits, and the separators that may be between them. */
const inFigures = /[\p{Nd}.,:/\-+%]/u
/** Presentation forms of Arabic letters, which are replaced by the letters. */
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

interface ReadCharacter {
  /** The inline that the character belongs to, which has its formatting. */
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

/** The text of one line in logical order, from visual order. */
export function inReadingOrder(line: readonly FlowInline[]): readonly FlowInline[] {
  const text = line.map((inline) => (inline.kind === 'text' ? inline.text : '')).join('')
  if (!rightToLeft.test(text) || line.some((inline) => inline.kind !== 'text')) return line
  const characters = line.flatMap((of): ReadCharacter[] =>
    of.kind === 'text' ? Array.from(of.text, (character) => ({ of, text: character })) : [],
  )
  return inlinesOf(readsFromRight(text) ? fromRight(characters) : fromLeft(characters))
}

/** The complete line is reversed, then Latin text and numbers are reversed back. */
function fromRight(characters: readonly ReadCharacter[]): readonly ReadCharacter[] {
  const reversed = characters.toReversed().map(mirror)
  return mapRuns(reversed, (run) => leftToRight.test(run) && !rightToLeft.test(run), back)
}

/** Only the text from right to left is reversed, except for the numbers in it. */
function fromLeft(characters: readonly ReadCharacter[]): readonly ReadCharacter[] {
  return mapRuns(
    characters,
    (run) => rightToLeft.test(run),
    (run) => mapRuns(run.toReversed().map(mirror), (text) => /\p{Nd}/u.test(text), back, inFigures),
  )
}

/** Runs begin and end with a character for which `is` holds. Neutral characters may be between them. */
function mapRuns(
  characters: readonly ReadCharacter[],
  is: (text: string) => boolean,
  convert: (run: readonly ReadCharacter[]) => readonly ReadCharacter[],
  between?: RegExp,
): readonly ReadCharacter[] {
  const out: ReadCharacter[] = []
  for (let at = 0; at < characters.length; ) {
    if (!is((characters[at] as ReadCharacter).text)) {
      out.push(characters[at++] as ReadCharacter)
      continue
    }
    let end = at + 1
    for (let next = end; next < characters.length; next++) {
      const { text } = characters[next] as ReadCharacter
      if (is(text)) end = next + 1
      else if (between === undefined ? isStrong(text) : !between.test(text)) break
    }
    pushAll(out, convert(characters.slice(at, end)))
    at = end
  }
  return out
}

function isStrong(text: string): boolean {
  return rightToLeft.test(text) || /\p{L}/u.test(text)
}

/** Reverses a run again, so that it reads from left to right. */
function back(run: readonly ReadCharacter[]): readonly ReadCharacter[] {
  return run.toReversed().map(mirror)
}

function mirror({ of, text }: ReadCharacter): ReadCharacter {
  return { of, text: entryOf(mirrored, text) ?? text }
}

function inlinesOf(characters: readonly ReadCharacter[]): readonly FlowInline[] {
  const out: Extract<FlowInline, { kind: 'text' }>[] = []
  let before: ReadCharacter['of'] | undefined
  for (const { of, text } of characters) {
    const letter = shapes.test(text) ? normalForm(text, 'NFKC') : text
    const last = out.at(-1)
    if (last !== undefined && before === of) out[out.length - 1] = { ...last, text: last.text + letter }
    else out.push({ ...of, text: letter })
    before = of
  }
  return out
}
