import { isMissing } from './coerce.ts'
import { optional, required, value } from './define.ts'
import { SvgUpdate } from './formatter.ts'
import { printed } from './printed.ts'

/** Formatters of SVG templates: attributes of shapes from data. Their tags are in comments and print nothing. */

const selectorType = optional(
  'selectorType',
  'text',
  '"id", "id > *" or "id *"; left out: the element and all inside',
)

/**
 * Sets an attribute of the shapes with the id of the selector to the value: `rect`, `circle`, `ellipse`,
 * `line`, `polyline`, `polygon` and `path`. With `[]` in its path the tag works for every item. Prints nothing.
 *
 * @example {"v":5,"id":"a"} {d.v:svgUpdate(width, .id)} =>
 */
export const svgUpdate = value(
  'svgUpdate',
  [
    required('attribute', 'text', 'the attribute to write'),
    required('selector', 'any', 'the id that selects the elements'),
    selectorType,
  ],
  (input, [attribute, selector, type]) =>
    isMissing(input)
      ? ''
      : new SvgUpdate(
          printed(attribute).trim(),
          printed(input),
          printed(selector).trim(),
          printed(type ?? ''),
        ),
)

/**
 * The value is the id that selects the shapes which get the attribute: `{d.t[on=true].id:svgSelectiveUpdate('fill',
 * .color)}`. Prints nothing.
 *
 * @example {"v":"a","c":"#f00"} {d.v:svgSelectiveUpdate(fill, .c)} =>
 */
export const svgSelectiveUpdate = value(
  'svgSelectiveUpdate',
  [
    required('attribute', 'text', 'the attribute to write'),
    required('value', 'any', 'its new value'),
    selectorType,
  ],
  (input, [attribute, written, type]) =>
    isMissing(input)
      ? ''
      : new SvgUpdate(
          printed(attribute).trim(),
          printed(written),
          printed(input).trim(),
          printed(type ?? ''),
        ),
)
