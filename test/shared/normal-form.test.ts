import { describe, expect, it } from 'vitest'
import { normalForm } from '../../shared/normal-form.ts'
import { processorTime } from '../helpers/processor-time.ts'

const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const

/** Texts whose parts join with the character before them, at every offset of a cut. */
const joined = [
  'e\u0301',
  'が',
  '\u304b\u3099',
  '\uff76\uff9e',
  '\u1112\u1161\u11ab',
  '한',
  '\ufb01',
  '\u0b15\u0b47\u0b3e',
  '𝒳',
  '👩‍👩‍👧',
  'a\u0327\u0301',
]

describe('a normal form', () => {
  it.each(joined)('of many %s is that of the language', (text) => {
    for (let before = 0; before < 4; before++) {
      const long = 'x'.repeat(before) + text.repeat(1_000)
      for (const form of forms) expect(normalForm(long, form)).toBe(long.normalize(form))
    }
  })

  it('of a million marks takes as long as that of a million letters, nearly', () => {
    const timeOf = (text: string) => {
      const begun = process.cpuUsage()
      normalForm(text, 'NFKC')
      return processorTime(begun)
    }
    const letters = timeOf('é'.repeat(1_000_000))
    const marks = timeOf(`a${'\u0301\u0316'.repeat(500_000)}`)
    expect(marks).toBeLessThan(20 * letters + 500)
  })
})
