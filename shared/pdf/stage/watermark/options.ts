import { entryOf } from '../../../entry-of.ts'
import type { SchemaIssue } from '../../../plugin/values.ts'
import { type StandardFont, standardFonts } from './standard-font.ts'

export const anchors = [
  'topLeft',
  'top',
  'topRight',
  'left',
  'center',
  'right',
  'bottomLeft',
  'bottom',
  'bottomRight',
] as const
export type WatermarkAnchor = (typeof anchors)[number]

/** A watermark with its defaults filled in. Lengths are in points on the page as it is shown; y grows upward. Specification 4.9. */
export interface Watermark {
  readonly text: string
  readonly anchor: WatermarkAnchor
  readonly offsetX: number
  readonly offsetY: number
  readonly rotation: number // degrees, counter-clockwise
  readonly color: readonly [red: number, green: number, blue: number] // 0 to 1
  readonly size: number | 'auto'
  readonly opacity: number
  readonly font: StandardFont
  readonly fromPage: number
  readonly toPage: number // Infinity: the last page
  /** Also over form fields and annotations, which become contents of the pages for it. */
  readonly isOverFields?: boolean
  /** Under what the page shows. Requests cannot say so: the option `Watermarks` draws over it. */
  readonly isBehind?: boolean
}

/** Specification 4.9. */
const maxWatermarks = 4
const maxTextLength = 2000
const maxOffset = 100_000 // points; a page is at most 14,400
const lastPage = 1_000_000

/** One property of a watermark: its JSON schema, the same rule in words for messages, and the check. */
type WatermarkProperty = {
  readonly json: Readonly<Record<string, unknown>>
  readonly rule: string
  ok(value: unknown): boolean
}

const number = (min: number, max: number): WatermarkProperty => ({
  json: { type: 'number', minimum: min, maximum: max },
  rule: `must be a number between ${min} and ${max}`,
  ok: (value) => typeof value === 'number' && value >= min && value <= max,
})
const choice = (values: readonly string[]): WatermarkProperty => ({
  json: { type: 'string', enum: values },
  rule: `must be one of ${values.join(', ')}`,
  ok: (value) => values.includes(value as string),
})
const page: WatermarkProperty = {
  json: { type: 'integer', minimum: 1, maximum: lastPage },
  rule: 'must be an integer from 1, a page number',
  ok: (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= lastPage,
}

const properties: Readonly<Record<string, WatermarkProperty>> = {
  text: {
    json: { type: 'string', minLength: 1, maxLength: maxTextLength },
    rule: `must be a text of 1 to ${maxTextLength} characters`,
    ok: (value) => typeof value === 'string' && value.length >= 1 && value.length <= maxTextLength,
  },
  anchor: choice(anchors),
  offsetX: number(-maxOffset, maxOffset),
  offsetY: number(-maxOffset, maxOffset),
  rotation: number(-360, 360),
  color: {
    json: { type: 'string', pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' },
    rule: 'must be a color such as #F00 or #FF0000',
    ok: (value) => typeof value === 'string' && /^#([\da-f]{3}|[\da-f]{6})$/i.test(value),
  },
  size: number(1, 2000),
  opacity: number(0, 1),
  font: choice(standardFonts),
  fromPage: page,
  toPage: page,
  overFields: {
    json: { type: 'boolean' },
    rule: 'must be true or false',
    ok: (value) => typeof value === 'boolean',
  },
}

export const watermarksJson: Readonly<Record<string, unknown>> = {
  type: 'array',
  maxItems: maxWatermarks,
  items: {
    type: 'object',
    required: ['text'],
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(properties).map(([name, { json }]) => [name, json])),
  },
}

/**
 * Reads the option `Watermarks` and the older `Watermark`, a text in the centre of every page. What is wrong is added to
 * `issues` with the path of the property.
 */
export function readWatermarks(list: unknown, single: unknown, issues: SchemaIssue[]): readonly Watermark[] {
  const watermarks: Watermark[] = []
  if (typeof single === 'string' && single !== '') watermarks.push(withDefaults({ text: single }))
  if (!Array.isArray(list)) return watermarks
  if (list.length > maxWatermarks)
    issues.push({ path: 'Watermarks', rule: `must be a list of at most ${maxWatermarks} watermarks` })
  for (const [index, item] of list.slice(0, maxWatermarks).entries()) {
    const path = `Watermarks[${index}]`
    const before = issues.length
    const properties = checkProperties(item, path, issues)
    if (properties === undefined || issues.length > before) continue
    const watermark = withDefaults(properties)
    if (watermark.anchor !== 'center' && ![0, 90, -90].includes(watermark.rotation)) {
      issues.push({ path: `${path}.rotation`, rule: 'must be 0, 90 or -90 unless the anchor is center' })
    }
    if (watermark.toPage < watermark.fromPage) {
      issues.push({ path: `${path}.toPage`, rule: 'must not come before fromPage' })
    }
    watermarks.push(watermark)
  }
  return watermarks
}

/** Checks one watermark. Null counts as absent, as everywhere in the API. Returns undefined for what is not an object. */
function checkProperties(
  item: unknown,
  path: string,
  issues: SchemaIssue[],
): Readonly<Record<string, unknown>> | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    issues.push({ path, rule: 'must be an object with a text' })
    return undefined
  }
  const entries = Object.entries(item).filter(([, value]) => value !== null && value !== undefined)
  for (const [name, value] of entries) {
    const property = entryOf(properties, name)
    const shown = `${path}.${name.replace(/[^\w-]/g, '?').slice(0, 40)}`
    if (property === undefined) issues.push({ path: shown, rule: 'is not a property of a watermark' })
    else if (!property.ok(value)) issues.push({ path: shown, rule: property.rule })
  }
  const watermarkProperties = Object.fromEntries(entries)
  if (watermarkProperties['text'] === undefined) issues.push({ path: `${path}.text`, rule: 'must be given' })
  return watermarkProperties
}

/** Fills in the defaults, which differ for a watermark in the centre. `properties` has passed the table above. */
function withDefaults(properties: Readonly<Record<string, unknown>>): Watermark {
  const read = <T>(name: string, start: T): T => (entryOf(properties, name) as T | undefined) ?? start
  const anchor = read<WatermarkAnchor>('anchor', 'center')
  const centred = anchor === 'center'
  return {
    text: properties['text'] as string,
    anchor,
    offsetX: read('offsetX', 0),
    offsetY: read('offsetY', 0),
    rotation: read('rotation', centred ? 45 : 0),
    color: readColor(read('color', '#000000')),
    size: read<number | 'auto'>('size', centred ? 'auto' : 12),
    opacity: read('opacity', centred ? 0.1 : 1),
    font: read<StandardFont>('font', 'Helvetica'),
    fromPage: read('fromPage', 1),
    toPage: read('toPage', Number.POSITIVE_INFINITY),
    ...(properties['overFields'] === true && { isOverFields: true }),
  }
}

/** '#f80' or '#ff8800' as fractions of red, green and blue. */
function readColor(text: string): Watermark['color'] {
  const digits = text.length === 4 ? text.slice(1).replace(/./g, '$&$&') : text.slice(1)
  const part = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16) / 255
  return [part(0), part(2), part(4)]
}
