import { describe, expect, it } from 'vitest'
import { sentences } from '../../cases/language/all.ts'
import { failure, mergeText } from '../../helpers/merge.ts'
import { title } from '../../helpers/titled.ts'

/** Texts without a format of their own get a root element. */
describe.each(Object.entries(sentences))('%s', (_clause, rows) => {
  it.each(rows.map((row) => [title(row[0]), row] as const))(
    '%s',
    async (_name, [template, data, result, options]) => {
      const wraps = options?.format === undefined && !template.startsWith('<')
      const rendered = mergeText(wraps ? `<x>${template}</x>` : template, data, options)
      if (typeof result === 'string' && result.startsWith('!')) {
        const error = await failure(rendered)
        expect(error.problems[0]?.code ?? error.code).toBe(result.slice(1))
        return
      }
      const text = await rendered
      const own = wraps ? text.slice('<x>'.length, -'</x>'.length) : text
      if (typeof result === 'string') expect(own).toBe(result)
      else expect(own).toMatch(result)
    },
  )
})
