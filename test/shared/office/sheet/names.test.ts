import { expect, it } from 'vitest'
import { claimName } from '../../../../shared/office/sheet/names.ts'
import { RenderScope } from '../../../../shared/template/scope.ts'
import { processorTime } from '../../../helpers/processor-time.ts'

const long = 'A name of one and thirty letters'.slice(0, 31)

/** What sheets are called that ask for these names, one after another, in a workbook that has a sheet `Fixed`. */
it.each<[requested: readonly string[], names: readonly string[]]>([
  [
    ['Jan', 'Feb', 'Jan', 'Jan', 'Feb'],
    ['Jan', 'Feb', 'Jan (2)', 'Jan (3)', 'Feb (2)'],
  ],
  // Case does not make names different, and the number goes on whatever the case.
  [
    ['jan', 'JAN', 'Jan'],
    ['jan', 'JAN (2)', 'Jan (3)'],
  ],
  [
    ['fixed', 'Fixed'],
    ['fixed (2)', 'Fixed (3)'],
  ],
  // A number that another sheet has asked for itself is passed over.
  [
    ['Jan', 'Jan (2)', 'Jan', 'Jan (2)'],
    ['Jan', 'Jan (2)', 'Jan (3)', 'Jan (2) (2)'],
  ],
  [
    ['Jan', 'Jan', 'Jan (3)', 'Jan'],
    ['Jan', 'Jan (2)', 'Jan (3)', 'Jan (4)'],
  ],
  [
    ['', '', '[]:*?/\\'],
    ['Sheet', 'Sheet (2)', 'Sheet (3)'],
  ],
  [
    ["'quoted'", 'quoted'],
    ['quoted', 'quoted (2)'],
  ],
  // The number has its place in the 31 characters.
  [
    [long, `${long} and more`],
    [long, `${long.slice(0, 27)} (2)`],
  ],
])('%j', (requested, names) => {
  const scope = new RenderScope()
  expect(requested.map((name) => claimName(scope, new Set(['fixed']), name))).toEqual(names)
})

it('the time for sheets of one name grows with their number only', () => {
  const scope = new RenderScope()
  const begun = process.cpuUsage()
  const spellings = ['same', 'SAME', 'Same']
  let last = ''
  for (let sheet = 0; sheet < 15_000; sheet++)
    last = claimName(scope, new Set(), spellings[sheet % spellings.length] ?? '')
  expect(last).toBe('Same (15000)')
  expect(processorTime(begun)).toBeLessThan(2_000)
})
