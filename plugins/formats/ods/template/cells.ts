/** Typed cells. Source: template language 24.3 and B.5. */
import { escapeAttribute, withoutControls } from '../../../../shared/office/markup.ts'
import { isNothing, numberOf } from '../../../../shared/office/sheet/typed.ts'

/** What text may stand in for its cell to be typed: pictures and notes would be lost. */
export const textElements = /^text:(?:p|span)$/

const typing =
  /\s(?:office:(?:value-type|value|string-value|date-value|time-value|boolean-value|currency)|calcext:value-type)="[^"]*"/g

/** A cell's opening tag without what says its type and value. */
export const untyped = (raw: string): string => raw.replace(typing, '')

/** Stands between the beginning of a cell's tag and its end. */
export function typedContent(value: unknown, textOf: (value: unknown) => string): string {
  const number = numberOf(value)
  if (number !== undefined) {
    return ` office:value-type="float" office:value="${number}" calcext:value-type="float"><text:p>${number}</text:p>`
  }
  const text = textOf(value)
  if (isNothing(value, text)) return '>'
  return ` office:value-type="string" calcext:value-type="string"><text:p>${escaped(text)}</text:p>`
}

export function attribute(raw: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(raw)?.[1]
}

export const escaped = (text: string): string => escapeAttribute(withoutControls(text))
