import { expect, it } from 'vitest'
import { spend } from '../../../../shared/template/emit/budget.ts'

it('runs the maximum number of steps and no more', () => {
  const budget = { left: 3, limit: 3, signal: undefined }
  for (let step = 0; step < 3; step++) spend(budget)
  expect(() => spend(budget)).toThrow(expect.objectContaining({ code: 'template.iterations' }))
})

it('a render that was stopped ends within 1,024 steps', () => {
  const budget = { left: 10_000, limit: 10_000, signal: AbortSignal.abort() }
  let steps = 0
  expect(() => {
    for (; steps < 5000; steps++) spend(budget)
  }).toThrow(expect.objectContaining({ code: 'template.stopped' }))
  expect(steps).toBeLessThan(1024)
})
