import { arrayRows } from './arrays.ts'
import { conditionRows } from './conditions.ts'
import { formatterRows } from './formatters.ts'
import { loopRows } from './loops.ts'
import { tagRows } from './tags.ts'
import { testRows } from './tests-and-blocks.ts'
import { type ClauseRows, languageRows } from './values.ts'

/** Conditions on elements stand in HTML documents unless a row says otherwise. */
const inHtml = (rows: ClauseRows): ClauseRows =>
  Object.fromEntries(
    Object.entries(rows).map(([clause, list]) => [
      clause,
      list.map(([template, data, result, options]) => [template, data, result, { format: 'html', ...options }] as const),
    ]),
  )

/** All sentences of the reference: by clause, by formatter, and those that join several clauses. */
export const sentences: ClauseRows = {
  ...tagRows,
  ...loopRows,
  ...testRows,
  ...inHtml(conditionRows),
  ...arrayRows,
  ...formatterRows,
  mixed: languageRows,
}
