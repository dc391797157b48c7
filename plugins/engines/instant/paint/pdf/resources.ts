import { AppError } from '../../../../../shared/errors/app-error.ts'
import type { PdfFile } from '../../../../../shared/pdf/write/pdf-file.ts'
import type { FontFile } from '../../fonts/sfnt/font-file.ts'
import type { ImageRef } from '../../images/image.ts'
import type { Frame, GradientFill, Matrix } from '../../layout/frame.ts'
import { adjustKey } from './adjust-picture.ts'
import type { EmbeddedFont } from './embed-font.ts'
import { rgbOperands } from './graphics-state.ts'
import type { PageFonts } from './page-fonts.ts'
import { factor, num, reference } from './syntax.ts'

/**
 * The resources that content streams refer to by name: fonts, pictures, opacities, shadings. Each is written
 * once for all pages.
 */
export interface Resources {
  font(file: FontFile): EmbeddedFont
  /** The resource name of a picture; undefined when it cannot be read. */
  image(image: ImageRef): string | undefined
  opacity(fill: number, stroke: number): string
  shading(fill: GradientFill, x: number, y: number): string
  /** A tiling pattern; `matrix` maps the bottom left of its first tile to the page. */
  tiles(tile: Frame, matrix: Matrix, content: () => Uint8Array): string
  /** A graphics state with this content as its luminosity mask. */
  mask(content: Uint8Array): string
  /** A transparency group: its content is composed first and then drawn as one object. */
  group(content: Uint8Array): string
}

export interface ResourcesParts {
  readonly fonts: PageFonts
  /** The object number of the dictionary that `finish` writes. */
  readonly id: number
  /** Writes a picture and returns its object number; undefined when it cannot be read. */
  embedImage(image: ImageRef): number | undefined
  /** Transparency is forbidden, as in PDF/A-1. */
  readonly opaque?: boolean
}

/** Throws AppError 'pdf.promise': a file that cannot meet its conformance is not written. */
export function failConformance(because: string): never {
  throw new AppError('pdf.promise', { because })
}

/** `finish` writes the dictionary that all pages share. */
export function createResources(file: PdfFile, parts: ResourcesParts): Resources & { finish(): void } {
  const images = new Map<Uint8Array, Map<string, { resource: string; id: number } | undefined>>()
  let count = 0
  const opacities = new Map<string, { resource: string; id: number }>()
  const shadings = new Map<string, { resource: string; id: number }>()
  const patterns = new Map<Frame, Map<string, { resource: string; id: number }>>()
  let patternCount = 0
  const groups: { resource: string; id: number }[] = []
  return {
    font: (fontFile) => parts.fonts.font(fontFile),
    image(image) {
      let variants = images.get(image.bytes)
      if (variants === undefined) images.set(image.bytes, (variants = new Map()))
      const key = adjustKey(image.adjust)
      if (!variants.has(key)) {
        const id = parts.embedImage(image)
        variants.set(key, id === undefined ? undefined : { resource: `I${++count}`, id })
      }
      return variants.get(key)?.resource
    },
    opacity(fill, stroke) {
      if (parts.opaque === true && (fill < 1 || stroke < 1)) failConformance('it has something transparent')
      const body = `<</Type/ExtGState/ca ${factor(fill)}/CA ${factor(stroke)}>>`
      return resourceFor(opacities, body, 'G', file)
    },
    shading: (fill, x, y) => resourceFor(shadings, shadingBody(fill, x, y), 'S', file),
    tiles(tile, matrix, content) {
      let byMatrix = patterns.get(tile)
      if (byMatrix === undefined) patterns.set(tile, (byMatrix = new Map()))
      const [width, height] = [factor(tile.width), factor(tile.height)]
      // The origin of a PDF tile is at its bottom, whereas the given point is its top.
      const [a, b, c, d, e, f] = matrix
      const placed = [a, b, c, d].map(factor)
      const moved = [e - c * tile.height, f - d * tile.height].map(num)
      const head =
        `/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 ${width} ${height}]/XStep ${width}/YStep ${height}` +
        `/Matrix[${[...placed, ...moved].join(' ')}]/Resources ${reference(parts.id)}`
      let entry = byMatrix.get(head)
      if (entry === undefined) {
        entry = { resource: `P${++patternCount}`, id: file.stream(head, content()) }
        byMatrix.set(head, entry)
      }
      return entry.resource
    },
    mask(content) {
      if (parts.opaque === true) failConformance('it has something transparent')
      const group = file.stream(groupForm(parts.id), content)
      const body = `<</Type/ExtGState/SMask<</Type/Mask/S/Luminosity/G ${reference(group)}>>>>`
      return resourceFor(opacities, body, 'G', file)
    },
    group(content) {
      const resource = `X${groups.length + 1}`
      groups.push({ resource, id: file.stream(groupForm(parts.id), content) })
      return resource
    },
    finish() {
      const fonts = parts.fonts.finish()
      const drawn = [...images.values()].flatMap((variants) =>
        [...variants.values()].filter((image) => image !== undefined),
      )
      file.set(
        parts.id,
        `<<${section('Font', fonts)}${section('XObject', [...drawn, ...groups])}` +
          `${section('ExtGState', [...opacities.values()])}${section('Shading', [...shadings.values()])}` +
          `${section(
            'Pattern',
            [...patterns.values()].flatMap((byMatrix) => [...byMatrix.values()]),
          )}>>`,
      )
    },
  }
}

/** The dictionary entries of a transparency group without bounds. */
const groupForm = (resources: number): string =>
  '/Type/XObject/Subtype/Form/BBox[-100000 -100000 100000 100000]' +
  `/Group<</S/Transparency/CS/DeviceRGB>>/Resources ${reference(resources)}`

function resourceFor(
  entries: Map<string, { resource: string; id: number }>,
  body: string,
  prefix: string,
  file: PdfFile,
): string {
  let entry = entries.get(body)
  if (entry === undefined)
    entries.set(body, (entry = { resource: `${prefix}${entries.size + 1}`, id: file.add(body) }))
  return entry.resource
}

function section(
  name: string,
  entries: readonly { readonly resource: string; readonly id: number }[],
): string {
  if (entries.length === 0) return ''
  return `/${name}<<${entries.map(({ resource, id }) => `/${resource} ${reference(id)}`).join('')}>>`
}

/** An axial (2) or radial (3) shading that interpolates linearly between its stops. ISO 32000-2, 8.7.4.5. */
function shadingBody(fill: GradientFill, x: number, y: number): string {
  const [x1, y1, x2, y2] = [x + fill.x1, y - fill.y1, x + fill.x2, y - fill.y2]
  const geometry =
    fill.kind === 'linear'
      ? `/ShadingType 2/Coords[${[x1, y1, x2, y2].map(num).join(' ')}]`
      : `/ShadingType 3/Coords[${[x1, y1, 0, x1, y1, Math.hypot(x2 - x1, y2 - y1)].map(num).join(' ')}]`
  return `<</ColorSpace/DeviceRGB${geometry}/Extend[true true]/Function ${stepFunction(fill.stops)}>>`
}

function stepFunction(stops: GradientFill['stops']): string {
  const first = stops[0] ?? { at: 0, colour: 0 }
  const points = stops.length > 1 ? stops : [first, first]
  const segments: string[] = []
  const bounds: string[] = []
  for (let index = 0; index + 1 < points.length; index++) {
    const from = rgbOperands(points[index]!.colour)
    const to = rgbOperands(points[index + 1]!.colour)
    segments.push(`<</FunctionType 2/Domain[0 1]/C0[${from}]/C1[${to}]/N 1>>`)
    if (index > 0) bounds.push(factor(Math.min(1, Math.max(0, points[index]!.at))))
  }
  const encode = segments.map(() => '0 1').join(' ')
  return `<</FunctionType 3/Domain[0 1]/Functions[${segments.join('')}]/Bounds[${bounds.join(' ')}]/Encode[${encode}]>>`
}
