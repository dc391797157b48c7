import { expect, it } from 'vitest'
import { createBudget } from '../../../../plugins/engines/instant/pipeline.ts'
import { settingsSchema } from '../../../../plugins/engines/instant/settings.ts'

/** The clock of a Worker stands still while it computes. */
const still = { deadline: 1_000, now: () => 0 }
const stepsUntilEnd = (budget: { check(steps?: number): void }, each: number) => {
  let steps = 0
  try {
    for (; steps < 1_000_000; steps += each) budget.check(each)
  } catch (error) {
    expect(error).toMatchObject({ code: 'convert.timeout' })
    return steps
  }
  return Number.POSITIVE_INFINITY
}

it.each([1, 7, 5_000])(
  'a conversion ends after its steps where the clock stands still, %i at a time',
  (each) => {
    const steps = stepsUntilEnd(createBudget({ ...still, maxSteps: 20_000 }), each)
    expect(steps).toBeGreaterThan(15_000)
    expect(steps).toBeLessThan(25_000)
  },
)

it('without a number of steps the clock alone ends it', () => {
  expect(stepsUntilEnd(createBudget(still), 100)).toBe(Number.POSITIVE_INFINITY)
  expect(stepsUntilEnd(createBudget({ deadline: 1_000, now: () => 1_001 }), 1)).toBeLessThan(200)
})

it.each([0, -1, 1.5, 'many'])('the setting refuses %s steps', (maxSteps) => {
  expect(settingsSchema.parse({ maxSteps })).toEqual({
    ok: false,
    issues: [{ path: 'maxSteps', rule: 'must be a whole number from 1' }],
  })
  expect(settingsSchema.parse({ maxSteps: 5 })).toMatchObject({ ok: true, value: { maxSteps: 5 } })
})
