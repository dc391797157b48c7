import { expect, it } from 'vitest'
import { progressBar } from '../../../origin/cli/progress.ts'

it.each([
  [0, 100, '', `${'░'.repeat(30)} 0/100 `],
  [50, 100, '2 failed', `${'█'.repeat(15)}${'░'.repeat(15)} 50/100 2 failed`],
  [3, 3, '', `${'█'.repeat(30)} 3/3 `],
])('%d of %d', (finished, total, text, bar) => {
  expect(progressBar(finished, total, text)).toBe(bar)
})
