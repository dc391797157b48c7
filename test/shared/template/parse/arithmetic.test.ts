import { describe, expect, it } from 'vitest'
import { readSum } from '../../../../shared/template/parse/arithmetic.ts'

/** In reverse Polish order; undefined for what is no sum. */
const cases: Readonly<Record<string, string | undefined>> = {
  '1': undefined,
  text: undefined,
  '-1': '-1',
  '1+2*3': '1 2 3 * +',
  '1-2-3': '1 2 - 3 -',
  '-d.a*2': 'a minus 2 *',
  'd.a-b+1': 'a-b 1 +',
  '.a-1': 'a 1 -',
}

describe('arithmetic', () => {
  for (const [text, expected] of Object.entries(cases))
    it(text, () => {
      const sum = readSum(text)?.map((item) => {
        if (item.kind === 'number') return String(item.value)
        if (item.kind === 'operator') return item.operator
        const step = item.path.steps[0]
        return step?.kind === 'key' ? step.name : '?'
      })
      expect(sum?.join(' ')).toBe(expected)
    })
})
