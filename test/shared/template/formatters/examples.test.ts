import { describe, expect, test } from 'vitest'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { formatters } from '../../../../shared/template/formatters/registry.ts'
import { evaluate } from '../../../helpers/evaluate.ts'
import { type Example, readFormatterDocs } from '../../../helpers/formatter-docs.ts'

/** Runs every example of every doc comment: the comments are the reference and cannot drift from the code. */
const docs = readFormatterDocs()

function run({ template, data, options }: Example): string {
  try {
    return evaluate(template, data, options)
  } catch (error) {
    if (error instanceof AppError) return `!${error.code}`
    throw error
  }
}

describe.each([...docs.values()].filter((doc) => doc.examples.length > 0))('$name', ({ examples }) => {
  test.each(examples)('$line', (example) => {
    expect(run(example)).toBe(example.result)
  })
})

describe('documentation', () => {
  test('every formatter has a doc comment with its purpose', () => {
    const silent = [...formatters.keys()].filter((name) => !docs.get(name)?.says)
    expect(silent).toEqual([])
  })

  test('every formatter that works on a value has an example', () => {
    const untried = [...formatters.values()]
      .filter(({ kind }) => kind !== 'structure' && kind !== 'aggregate')
      .filter(({ name }) => docs.get(name)?.examples.length === 0)
    expect(untried.map(({ name }) => name)).toEqual([])
  })

  test('every parameter has a description', () => {
    const silent = [...formatters.values()].flatMap(({ name, parameters }) =>
      parameters
        .filter(({ description }) => description === '')
        .map((parameter) => `${name}.${parameter.name}`),
    )
    expect(silent).toEqual([])
  })
})
