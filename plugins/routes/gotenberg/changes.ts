/** The fields that change a finished PDF: watermarks and stamps, rotation, flattening, bookmarks, metadata. */

import type { OutlineItem, PdfChanges, PdfOverlay, PropertyValue, RouteFile, RouteHost } from 'platen/plugin'
import { entryOf } from '../../../shared/entry-of.ts'
import { invalid } from './invalid.ts'
import { pictureAsPdf } from './picture.ts'
import type { Form } from './request.ts'

/** Reads the changes that the fields of a form request; an empty object without any. */
export async function readChanges(form: Form, host: RouteHost): Promise<PdfChanges> {
  const watermark = await overlayOf('watermark', form, host)
  const stamp = await overlayOf('stamp', form, host)
  const overlays = [watermark, stamp].filter((overlay) => overlay !== undefined)
  const rotation = rotationOf(form)
  const properties = metadataOf(form)
  return {
    ...(form.flag('flatten', false) && { flatten: true }),
    ...(overlays.length > 0 && { overlays }),
    ...(rotation !== undefined && { rotation }),
    ...(properties !== undefined && { properties }),
  }
}

/** Whether one of the changes draws a file, whose conformance is unknown. */
export const drawsFiles = ({ overlays = [] }: PdfChanges): boolean =>
  overlays.some(({ content }) => 'pdf' in content)

function rotationOf(form: Form): PdfChanges['rotation'] {
  const angle = form.choice('rotateAngle', ['90', '180', '270'])
  const pages = form.text('rotatePages').trim()
  if (angle === undefined) return undefined
  return { angle: Number(angle) as 90 | 180 | 270, ...(pages !== '' && { pages }) }
}

const maxExpression = 2000

async function overlayOf(
  kind: 'watermark' | 'stamp',
  form: Form,
  host: RouteHost,
): Promise<PdfOverlay | undefined> {
  const source = form.choice(`${kind}Source`, ['text', 'image', 'pdf'])
  if (source === undefined) return undefined
  const options = optionsOf(kind, form)
  const pages = form.text(`${kind}Pages`).trim()
  const overlay = {
    layer: kind === 'watermark' ? ('behind' as const) : ('above' as const),
    ...(pages !== '' && { pages }),
  }
  if (source === 'text') {
    const text = form.required(`${kind}Expression`).slice(0, maxExpression)
    return { ...overlay, content: { watermark: { ...textOptions(kind, options), text } } }
  }
  const file = overlayFile(kind, form)
  const pdf = source === 'pdf' ? file.bytes : await pictureAsPdf(file, host)
  return { ...overlay, content: { pdf, ...fileOptions(kind, source, options) } }
}

/** The file that the expression refers to, or the only one of its field. */
function overlayFile(kind: string, form: Form): RouteFile {
  const name = form.text(`${kind}Expression`)
  const files = [...form.filesIn(kind), ...form.files]
  const named = files.find((file) => file.name === name) ?? form.filesIn(kind)[0]
  if (named === undefined) throw invalid(`form file '${name || kind}' of '${kind}Expression' is required`)
  return named
}

type Options = ReadonlyMap<string, unknown>

/** The alternative names of an option in the documentation of Gotenberg's engine, mapped to one of them. */
const aliases: Readonly<Record<string, string>> = {
  font: 'font',
  fontname: 'font',
  points: 'points',
  color: 'color',
  fillcolor: 'color',
  fillc: 'color',
  rotation: 'rotation',
  rot: 'rotation',
  opacity: 'opacity',
  op: 'opacity',
  scale: 'scale',
  scalefactor: 'scale',
  offset: 'offset',
  off: 'offset',
  position: 'position',
  pos: 'position',
}

function optionsOf(kind: string, form: Form): Options {
  const value = form.json(`${kind}Options`) ?? {}
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(`form field '${kind}Options' must be an object`)
  return new Map(
    Object.entries(value).map(([key, option]) => {
      const alias = entryOf(aliases, key.toLowerCase())
      if (alias === undefined)
        throw invalid(`'${key.slice(0, 40)}' of '${kind}Options' is not supported by this service`)
      return [alias, option] as const
    }),
  )
}

function numberOf(
  kind: string,
  options: Options,
  key: string,
  fallback: number | undefined,
): number | undefined {
  const value = options.get(key)
  if (value === undefined || value === null || value === '') return fallback
  const number = Number(value)
  if (!Number.isFinite(number)) throw invalid(`'${key}' of '${kind}Options' must be a number`)
  return number
}

const anchors: Readonly<Record<string, string>> = {
  tl: 'topLeft',
  tc: 'top',
  tr: 'topRight',
  l: 'left',
  c: 'center',
  r: 'right',
  bl: 'bottomLeft',
  bc: 'bottom',
  br: 'bottomRight',
}

function placement(kind: string, options: Options) {
  const position = options.get('position')
  const anchor = position === undefined ? 'center' : entryOf(anchors, String(position))
  if (anchor === undefined)
    throw invalid(`'position' of '${kind}Options' must be one of ${Object.keys(anchors).join(', ')}`)
  const offset = options.get('offset')
  const [x, y] = Array.isArray(offset)
    ? offset.map(Number)
    : String(offset ?? '0 0')
        .trim()
        .split(/[\s,]+/)
        .map(Number)
  if (x === undefined || y === undefined || !Number.isFinite(x) || !Number.isFinite(y))
    throw invalid(`'offset' of '${kind}Options' must be two numbers such as '10 -20'`)
  return { anchor, offsetX: x, offsetY: y }
}

/** Helvetica, Courier and Times, bold and slanted or not, which every PDF reader has. */
const fonts: Readonly<Record<string, string>> = {
  'Times-Roman': 'Times',
}

/** Text without a size and a scale fills the diagonal of the page. */
function textOptions(kind: string, options: Options): Readonly<Record<string, unknown>> {
  if (options.has('scale'))
    throw invalid(`'scale' of '${kind}Options' is not supported for text by this service: give 'points'`)
  const { anchor, ...offsets } = placement(kind, options)
  const font = options.get('font')
  const color = options.get('color')
  return {
    anchor,
    ...offsets,
    rotation: numberOf(kind, options, 'rotation', anchor === 'center' ? 45 : 0),
    opacity: numberOf(kind, options, 'opacity', 1),
    ...(options.has('points') && { size: numberOf(kind, options, 'points', undefined) }),
    ...(font !== undefined && { font: entryOf(fonts, String(font)) ?? font }),
    ...(color !== undefined && { color: colorOf(kind, color) }),
  }
}

const colorNames: Readonly<Record<string, string>> = {
  black: '#000000',
  darkgray: '#A9A9A9',
  gray: '#808080',
  lightgray: '#D3D3D3',
  white: '#FFFFFF',
  red: '#FF0000',
  green: '#00FF00',
  blue: '#0000FF',
}

function colorOf(kind: string, value: unknown): string {
  const text = String(value).trim()
  const named = entryOf(colorNames, text.toLowerCase()) ?? text
  if (/^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(named)) return named
  const parts = text.split(/\s+/).map(Number)
  if (parts.length === 3 && parts.every((part) => part >= 0 && part <= 1))
    return `#${parts
      .map((part) =>
        Math.round(part * 255)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')}`
  throw invalid(`'color' of '${kind}Options' must be a color such as #808080 or '0.5 0.5 0.5'`)
}

/** A picture takes half of the page, another PDF all of it, unless `scale` is set. */
function fileOptions(kind: string, source: 'image' | 'pdf', options: Options) {
  for (const key of ['font', 'points', 'color'])
    if (options.has(key)) throw invalid(`'${key}' of '${kind}Options' is for text`)
  const scale = options.get('scale')
  const [size, mode] = String(scale ?? (source === 'image' ? '0.5' : '1'))
    .trim()
    .split(/\s+/)
  const share = Number(size)
  if (!(share > 0 && share <= 10) || (mode !== undefined && mode !== 'rel'))
    throw invalid(`'scale' of '${kind}Options' must be a share of the page such as 0.5`)
  const opacity = numberOf(kind, options, 'opacity', 1) ?? 1
  if (!(opacity >= 0 && opacity <= 1)) throw invalid(`'opacity' of '${kind}Options' must be between 0 and 1`)
  return {
    ...placement(kind, options),
    rotation: numberOf(kind, options, 'rotation', 0) ?? 0,
    opacity,
    scale: share,
  }
}

/** Names of Gotenberg's metadata program for properties that have other names in a PDF. */
const propertyNames: Readonly<Record<string, string>> = {
  CreateDate: 'CreationDate',
  ModifyDate: 'ModDate',
  Rights: 'Copyright',
}
const dates = new Set(['CreationDate', 'ModDate'])

function metadataOf(form: Form): Readonly<Record<string, PropertyValue>> | undefined {
  const value = form.json('metadata')
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value))
    throw invalid("form field 'metadata' must be an object")
  const entries = Object.entries(value).map(([key, property]): [string, PropertyValue] => {
    const isList = Array.isArray(property) && property.every((item) => typeof item === 'string')
    if (!isList && !['string', 'number', 'boolean'].includes(typeof property))
      throw invalid(
        `'${key.slice(0, 40)}' of 'metadata' must be a text, a number, a boolean or a list of texts`,
      )
    const named = entryOf(propertyNames, key) ?? key
    if (dates.has(named)) return [named, String(property).replace(/^(\d{4}):(\d\d):(\d\d)/, '$1-$2-$3')]
    return [named, property as PropertyValue]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

const maxDepth = 50

/** Reads bookmarks for all files, or for each by its name; undefined if the field is missing. */
export function bookmarksOf(
  form: Form,
): ((fileName: string) => readonly OutlineItem[] | undefined) | readonly OutlineItem[] | undefined {
  const value = form.json('bookmarks')
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value)) return outlineOf(value, 0)
  if (typeof value !== 'object') throw wrongBookmarks
  const byName = new Map(Object.entries(value).map(([name, list]) => [name, outlineOf(list, 0)]))
  return (fileName) => byName.get(fileName)
}

const wrongBookmarks = invalid(
  "form field 'bookmarks' must be a list of bookmarks with 'title', 'page' and 'children', or such a list by file name",
)

function outlineOf(value: unknown, depth: number): readonly OutlineItem[] {
  if (!Array.isArray(value) || depth > maxDepth) throw wrongBookmarks
  return value.map((item: unknown) => {
    if (typeof item !== 'object' || item === null) throw wrongBookmarks
    const { title, page, children } = item as Readonly<Record<string, unknown>>
    if (typeof title !== 'string' || typeof page !== 'number' || !Number.isInteger(page)) throw wrongBookmarks
    return {
      title,
      page,
      children: children === undefined || children === null ? [] : outlineOf(children, depth + 1),
    }
  })
}
