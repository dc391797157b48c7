/**
 * Typed cells: the attributes and the text that replace their tag. Source: template language 24.3 and B.5; ODF 1.3 part 3,
 * 9.1.4.
 */

import { isNothing, numberOf } from '../../../../shared/office/sheet/typed.ts'
import { attributesIn, withoutAttributes } from '../../../../shared/xml/elements.ts'
import { escapeAttribute, withoutControls } from '../../../../shared/xml/markup.ts'

/** The only elements that a typed cell may contain. Pictures and notes would be lost. */
export const textElements = /^text:(?:p|span)$/

/** The attributes of a cell that declare its type and value; `calcext:` is a namespace of LibreOffice. */
const typing: ReadonlySet<string> = new Set([
  'office:value-type',
  'office:value',
  'office:string-value',
  'office:date-value',
  'office:time-value',
  'office:boolean-value',
  'office:currency',
  'calcext:value-type',
])

/** A cell's opening tag without the attributes that declare its type and value. */
export const untyped = (raw: string): string => withoutAttributes(raw, (name) => typing.has(name))

/** Whether a tag gives its cell a value or a formula. */
export function saysValue(raw: string): boolean {
  for (const { name } of attributesIn(raw))
    if (name === 'table:formula' || name === 'office:value' || /^office:\w+-value$/.test(name)) return true
  return false
}

/** The markup between the attributes of a cell's start tag and its end tag. */
export function typedContent(value: unknown, textOf: (value: unknown) => string): string {
  const number = numberOf(value)
  if (number !== undefined) {
    return ` office:value-type="float" office:value="${number}" calcext:value-type="float"><text:p>${number}</text:p>`
  }
  const text = textOf(value)
  if (isNothing(value, text)) return '>'
  return ` office:value-type="string" calcext:value-type="string"><text:p>${escaped(text)}</text:p>`
}

/** Escapes text for an attribute or element, and removes control characters that XML does not allow. */
export const escaped = (text: string): string => escapeAttribute(withoutControls(text))
