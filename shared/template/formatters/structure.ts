import { optional, required, structure } from './define.ts'

/**
 * Formatters that act on the markup around the tag rather than on its value. The analyze and emit passes implement
 * them; this table contains only their names and parameters, for checks, suggestions and the reference.
 */

/** Begins a block that is kept only when the condition before it is true. Without a test the value's truth decides. */
export const showBegin = structure('showBegin')

/** Ends the block that `showBegin` or `hideBegin` began. */
export const showEnd = structure('showEnd')

/** Begins a block that is removed when the condition before it is true. */
export const hideBegin = structure('hideBegin')

/** Ends the block that `hideBegin` or `showBegin` began. */
export const hideEnd = structure('hideEnd')

const element = required(
  'element',
  'text',
  'what is removed: row, col, p, table, img, chart, shape, slide, item, sheet, h, div or span',
)
const elements = optional('n', 'integer', 'for row and p: how many in a row, this one included')

/** Removes the element around the tag when the condition is true. Prints nothing. */
export const drop = structure('drop', [element, elements])

/** Removes the element around the tag when the condition is false. Prints nothing. */
export const keep = structure('keep', [element, elements])

/** Writes the value into the data of this render, for the tags that come after. Prints nothing. */
export const set = structure('set', [required('target', 'text', 'a path from c., d. or relative with dots')])

/** Accepted and ignored: a marker in old templates. */
export const isImage = structure('isImage')
