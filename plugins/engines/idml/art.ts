/** Writes shapes and pictures of a page as SVG, in the coordinates of the page. */

import type { Matrix } from '../../../shared/document/geometry.ts'
import { entryOf } from '../../../shared/entry-of.ts'
import { measureImage, pictureTypes } from '../../../shared/images/measure.ts'
import { fromBase64, toBase64 } from '../../../shared/plugin/base64.ts'
import { type Element, elements, first } from '../../../shared/xml/read-tree.ts'
import type { IdmlGradient } from './colors.ts'
import type { Idml } from './document.ts'
import {
  type Bounds,
  boundsOf,
  boxOf,
  boxThrough,
  type IdmlPath,
  matrixOf,
  pathsOf,
  short,
  svgPath,
} from './geometry.ts'
import type { PageItem } from './pages.ts'
import { type IdmlProperties, propertiesOf } from './properties.ts'
import { numberOf } from './tree.ts'

export interface Art {
  readonly svg: string // elements, without the outermost one
  readonly definitions: string
  readonly box: Bounds // on the page, including the width of strokes
}

/** Notes about features that could not be drawn faithfully. */
export interface ArtCounts {
  pictures: number // pictures that are not in the package or in a format that cannot be shown here
  names: number // number of ids so far
}

const pictureNames = new Set(['Image', 'EPS', 'PDF', 'WMF', 'PICT', 'ImportedPage', 'SVG'])
/** Returns undefined when the item is not visible. */
export function artOf(pageItem: PageItem, document: Idml, counts: ArtCounts): Art | undefined {
  const { item, properties, matrix } = pageItem
  const paths = pathsOf(item)
  if (paths.length === 0) return undefined
  const outline = outlineOf(item, properties, paths)
  const name = `i${++counts.names}`
  const fill = fillOf(properties, document, name, boxOf(paths))
  const stroke = strokeOf(properties, document)
  const pictures = [...elements(item)].filter(({ name: kind }) => pictureNames.has(kind))
  const images = pictures.flatMap((picture) => pictureOf(picture, paths, document, counts))
  if (fill.paint === 'none' && stroke === undefined && images.length === 0) return undefined
  const clip = images.length === 0 ? '' : `<clipPath id="${name}c"><path d="${outline}"/></clipPath>`
  const layers = [
    fill.paint === 'none' ? '' : `<path d="${outline}" fill-rule="evenodd" ${fill.paint}/>`,
    images.length === 0 ? '' : `<g clip-path="url(#${name}c)">${images.join('')}</g>`,
    stroke === undefined ? '' : `<path d="${outline}" fill="none" ${stroke.attributes}/>`,
  ]
  const opacity = numberOf(
    first(item, 'TransparencySetting', 'BlendingSetting')?.attributes.get('Opacity'),
    100,
  )
  const opacityAttribute = opacity < 100 ? ` opacity="${short(Math.max(0, opacity) / 100)}"` : ''
  const edge = (stroke?.width ?? 0) / 2
  const box = boxOf(paths)
  const { growth } = document
  return {
    svg: growth.written(
      `<g transform="matrix(${matrix.map(short).join(' ')})"${opacityAttribute}>${layers.join('')}</g>`,
    ),
    definitions: growth.written(fill.definitions + clip),
    box: boxThrough(matrix, {
      left: box.left - edge,
      top: box.top - edge,
      right: box.right + edge,
      bottom: box.bottom + edge,
    }),
  }
}

function outlineOf(item: Element, properties: IdmlProperties, paths: readonly IdmlPath[]): string {
  const rounded = properties.get('TopLeftCornerOption') ?? properties.get('CornerOption')
  const [path] = paths
  const corner = numberOf(properties.get('TopLeftCornerRadius') ?? properties.get('CornerRadius'), 0)
  const isBox = paths.length === 1 && path?.points.length === 4 && !path.open
  if (item.name === 'Oval' || rounded !== 'RoundedCorner' || corner <= 0 || !isBox) return svgPath(paths)
  const { left, top, right, bottom } = boxOf(paths)
  const r = Math.min(corner, (right - left) / 2, (bottom - top) / 2)
  const arc = (x: number, y: number) => `A${short(r)} ${short(r)} 0 0 1 ${short(x)} ${short(y)}`
  return `M${short(left + r)} ${short(top)}H${short(right - r)}${arc(right, top + r)}V${short(bottom - r)}${arc(right - r, bottom)}H${short(left + r)}${arc(left, bottom - r)}V${short(top + r)}${arc(left + r, top)}Z`
}

function fillOf(properties: IdmlProperties, document: Idml, name: string, box: Bounds) {
  const swatch = properties.get('FillColor')
  const gradient = document.swatches.gradient(swatch)
  if (gradient !== undefined)
    return { paint: `fill="url(#${name}f)"`, definitions: gradientOf(gradient, properties, `${name}f`, box) }
  const color = document.swatches.color(swatch, numberOf(properties.get('FillTint'), -1))
  return { paint: color === undefined ? 'none' : `fill="#${color}"`, definitions: '' }
}

/** A gradient without a position of its own extends from side to side. */
function gradientOf(gradient: IdmlGradient, properties: IdmlProperties, id: string, box: Bounds): string {
  const stops = gradient.stops
    .map(({ at, color }) => `<stop offset="${short(at)}" stop-color="#${color}"/>`)
    .join('')
  const length = numberOf(properties.get('GradientFillLength'), 0)
  const [x = box.left, y = (box.top + box.bottom) / 2] = (properties.get('GradientFillStart') ?? '')
    .split(/\s+/)
    .filter((value) => length > 0 && value !== '')
    .map(Number)
  const reach = length > 0 ? length : box.right - box.left
  if (gradient.radial) {
    const [cx, cy] = length > 0 ? [x, y] : [(box.left + box.right) / 2, y]
    const r = length > 0 ? reach : Math.hypot(box.right - box.left, box.bottom - box.top) / 2
    return `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" cx="${short(cx)}" cy="${short(cy)}" r="${short(r)}">${stops}</radialGradient>`
  }
  const angle = (numberOf(properties.get('GradientFillAngle'), 0) * Math.PI) / 180
  const [dx, dy] = [reach * Math.cos(angle), -reach * Math.sin(angle)]
  return `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="${short(x)}" y1="${short(y)}" x2="${short(x + dx)}" y2="${short(y + dy)}">${stops}</linearGradient>`
}

const caps: Readonly<Record<string, string>> = { RoundEndCap: 'round', ProjectingEndCap: 'square' }
const joins: Readonly<Record<string, string>> = { RoundEndJoin: 'round', BevelEndJoin: 'bevel' }

function strokeOf(
  properties: IdmlProperties,
  document: Idml,
): { readonly attributes: string; readonly width: number } | undefined {
  const width = numberOf(properties.get('StrokeWeight'), 0)
  const color = document.swatches.color(
    properties.get('StrokeColor'),
    numberOf(properties.get('StrokeTint'), -1),
  )
  if (width <= 0 || color === undefined) return undefined
  const cap = entryOf(caps, properties.get('EndCap'))
  const join = entryOf(joins, properties.get('EndJoin'))
  const attributes = [
    `stroke="#${color}"`,
    `stroke-width="${short(width)}"`,
    cap === undefined ? '' : `stroke-linecap="${cap}"`,
    join === undefined ? '' : `stroke-linejoin="${join}"`,
    dashOf(properties.get('StrokeType') ?? '', width),
  ]
  return { attributes: attributes.filter((each) => each !== '').join(' '), width }
}

/** The dashed stroke styles that are built into InDesign, in units of the line width. */
function dashOf(type: string, width: number): string {
  const widths = /Canned Dashed (\d)x(\d)/.exec(type)
  if (widths !== null)
    return `stroke-dasharray="${short(Number(widths[1]) * width)} ${short(Number(widths[2]) * width)}"`
  if (/Canned Dotted|Japanese Dots/.test(type))
    return `stroke-dasharray="0.01 ${short(2 * width)}" stroke-linecap="round"`
  return /Dashed/.test(type) ? `stroke-dasharray="${short(4 * width)} ${short(3 * width)}"` : ''
}

/** Draws the picture of a frame. `paths`: the outline of the frame, in the coordinates of its picture. */
function pictureOf(
  picture: Element,
  paths: readonly IdmlPath[],
  document: Idml,
  counts: ArtCounts,
): readonly string[] {
  const matrix = matrixOf(picture.attributes.get('ItemTransform'))
  const frame = boxOf(paths)
  const bytes = bytesOfPicture(picture, document)
  const measured = bytes === undefined ? undefined : measureImage(bytes)
  if (bytes === undefined || measured === undefined) {
    counts.pictures++
    return [missing(frame)]
  }
  const bounds = first(picture, 'Properties', 'GraphicBounds')?.attributes
  const [box, pictureMatrix]: readonly [Bounds, Matrix | undefined] =
    bounds === undefined
      ? [frame, undefined]
      : [
          boundsOf(['Top', 'Left', 'Bottom', 'Right'].map((side) => bounds.get(side) ?? '0').join(' ')),
          matrix,
        ]
  const rectangle = `x="${short(box.left)}" y="${short(box.top)}" width="${short(box.right - box.left)}" height="${short(box.bottom - box.top)}"`
  const transform =
    pictureMatrix === undefined ? '' : ` transform="matrix(${pictureMatrix.map(short).join(' ')})"`
  return [
    `<image ${rectangle}${transform} preserveAspectRatio="none" xlink:href="data:${pictureTypes[measured.kind]};base64,${toBase64(bytes)}"/>`,
  ]
}

/**
 * Returns the picture when it is embedded in the document or is a file of the package. Files on the
 * designer's disk cannot be read.
 */
function bytesOfPicture(picture: Element, document: Idml): Uint8Array | undefined {
  const contents = propertiesOf(picture).get('Contents')
  if (contents !== undefined && contents.trim() !== '') return fromBase64(contents.replace(/\s+/g, ''))
  const address = first(picture, 'Link')?.attributes.get('LinkResourceURI') ?? ''
  const data = /^data:[^,]*;base64,(.*)$/s.exec(address)?.[1]
  if (data !== undefined) return fromBase64(data)
  return address === '' ? undefined : document.file(decoded(address))
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** The missing-image placeholder of layout programs: a grey box with a cross. */
function missing({ left, top, right, bottom }: Bounds): string {
  const [l, t, r, b] = [left, top, right, bottom].map(short)
  return `<path d="M${l} ${t}H${r}V${b}H${l}Z" fill="#dddddd"/><path d="M${l} ${t}L${r} ${b}M${r} ${t}L${l} ${b}" stroke="#999999" stroke-width="0.5" fill="none"/>`
}

/** Returns an SVG file of its own for a part of the page. */
export function svgOf(art: readonly Art[], box: Bounds): string {
  const [x, y, width, height] = [box.left, box.top, box.right - box.left, box.bottom - box.top].map(short)
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}pt" height="${height}pt" viewBox="${x} ${y} ${width} ${height}"><defs>${art.map(({ definitions }) => definitions).join('')}</defs>${art.map(({ svg }) => svg).join('')}</svg>`
}
