import type { ComputedRun } from '../../style/computed.ts'

/**
 * Applies the letter case of the run: capitals, small letters, or a capital at the beginning of each word.
 */
export function cased(text: string, run: ComputedRun): string {
  if (run.caps) return upper(text, run)
  if (run.letterCase === 'lower') return text.toLowerCase()
  if (run.letterCase === 'title')
    return text.replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase())
  return text
}

/** Text in capitals. In Turkish the capital of i keeps its dot. */
export function upper(text: string, run: ComputedRun): string {
  return run.language?.toLowerCase().startsWith('tr') === true
    ? text.toLocaleUpperCase('tr')
    : text.toUpperCase()
}
