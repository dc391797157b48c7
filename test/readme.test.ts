import { expect, test } from 'vitest'
import { readReadme, renewed } from './run/readme-tables.ts'

test('the tables of the README are those of the code: node_modules/.bin/node test/run/readme-tables.ts --write', () => {
  expect(readReadme()).toBe(renewed(readReadme()))
})
