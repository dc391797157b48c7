import type { FontEntry, VariationCoordinates } from '../font-source.ts'
import { guarded, tagAt } from './container.ts'
import { nameOf } from './names.ts'

/**
 * The faces of a variable font: its named instances, and a regular and a bold one when only the axis has
 * them. Instances that deviate from the default on other axes (optical sizes, grades) are omitted, because
 * documents have no name for them.
 *
 * Source: OpenType 1.9 `fvar`.
 */
export function variableFaces(entry: FontEntry, fvar: DataView, names: DataView): FontEntry[] {
  try {
    return guarded('its axes are truncated', () => facesOf(entry, readVariations(fvar), names))
  } catch {
    return [entry] // Without instances, the font is used with its default axes.
  }
}

interface VariationAxis {
  readonly tag: string
  readonly min: number
  readonly default: number
  readonly max: number
}
interface Variations {
  readonly axes: readonly VariationAxis[]
  readonly instances: readonly { readonly nameId: number; readonly coordinates: VariationCoordinates }[]
}

const maxAxes = 64
const maxInstances = 500
/** The properties by which a face is selected. */
const styleAxes = new Set(['wght', 'wdth', 'slnt', 'ital'])

function readVariations(fvar: DataView): Variations {
  const fixed = (at: number) => fvar.getInt32(at) / 65536
  const start = fvar.getUint16(4)
  const axisSize = fvar.getUint16(10)
  const axes = Array.from({ length: Math.min(fvar.getUint16(8), maxAxes) }, (_, index) => {
    const at = start + index * axisSize
    return { tag: tagAt(fvar, at), min: fixed(at + 4), default: fixed(at + 8), max: fixed(at + 12) }
  })
  const first = start + axes.length * axisSize
  const instances = Array.from({ length: Math.min(fvar.getUint16(12), maxInstances) }, (_, index) => {
    const at = first + index * fvar.getUint16(14)
    const coordinates = axes.map(({ tag }, axis) => ({ axis: tag, value: fixed(at + 4 + 4 * axis) }))
    return { nameId: fvar.getUint16(at), coordinates }
  })
  return { axes, instances }
}

function facesOf(entry: FontEntry, { axes, instances }: Variations, names: DataView): FontEntry[] {
  const defaults = new Map(axes.map(({ tag, default: value }) => [tag, value]))
  const styled = instances.filter(({ coordinates }) =>
    coordinates.every(({ axis, value }) => styleAxes.has(axis) || value === defaults.get(axis)),
  )
  const faces: FontEntry[] = styled.map(({ nameId, coordinates }) => {
    const style = nameOf(names, nameId)?.toLowerCase()
    const face = faceAt(entry, coordinates)
    const full = style === undefined ? [] : [`${entry.family.toLowerCase()} ${style}`]
    return { ...face, names: [...new Set([entry.family.toLowerCase(), ...full])] }
  })
  const weight = axes.find(({ tag }) => tag === 'wght')
  const defaultCoordinates = axes.map(({ tag, default: value }) => ({ axis: tag, value }))
  for (const targetWeight of [400, 700]) {
    const value = weight === undefined ? 400 : Math.min(weight.max, Math.max(weight.min, targetWeight))
    const coordinates = defaultCoordinates.map((at) => (at.axis === 'wght' ? { ...at, value } : at))
    const face = { ...faceAt(entry, coordinates), names: entry.names }
    const existing = faces.find((other) => sameStyle(other, face))
    if (existing === undefined) faces.push(face)
    else if (targetWeight === 400)
      faces[faces.indexOf(existing)] = {
        ...existing,
        names: [...new Set([...entry.names, ...existing.names])],
      }
  }
  return faces
}

/** Width classes of OS/2 by percent of the normal width. */
const widths = [50, 62.5, 75, 87.5, 100, 112.5, 125, 150, 200]

function faceAt(entry: FontEntry, coordinates: VariationCoordinates): FontEntry {
  const at = (axis: string) => coordinates.find((coordinate) => coordinate.axis === axis)?.value
  const percent = at('wdth')
  const nearest = (value: number) =>
    widths.reduce(
      (best, width, index) =>
        Math.abs(width - value) < Math.abs((widths[best] ?? 0) - value) ? index : best,
      0,
    ) + 1
  return {
    ...entry,
    weight: at('wght') ?? entry.weight,
    width: percent === undefined ? entry.width : nearest(percent),
    italic: entry.italic || (at('ital') ?? 0) >= 0.5 || (at('slnt') ?? 0) <= -5,
    place: coordinates,
  }
}

function sameStyle(first: FontEntry, second: FontEntry): boolean {
  return first.weight === second.weight && first.width === second.width && first.italic === second.italic
}
