import { describe, it } from 'vitest'
import { arrayRows } from '../../cases/language/arrays.ts'
import { conditionRows } from '../../cases/language/conditions.ts'
import { languageRows } from '../../cases/language/values.ts'
import { check } from '../../helpers/merge.ts'

describe('sentences of the reference', () => {
  it.each([...languageRows, ...arrayRows].map((row) => [row[0], row] as const))(
    '%s',
    async (_, [template, data, result, options]) => {
      const wraps = options?.format === undefined && !template.startsWith('<')
      const wrap = (text: string) => (wraps ? `<x>${text}</x>` : text)
      await check(wrap(template), data, wrap(result), options)
    },
  )
  it.each(conditionRows.map((row) => [row[0], row] as const))('%s', (_, [template, data, result, options]) =>
    check(template, data, result, { format: 'html', ...options }),
  )
})
