import { AppError } from '../../../../shared/errors/app-error.ts'
import type { FormatId } from '../../../../shared/plugin/contract.ts'
import type { Rules, Value } from './rule.ts'

/** A side of a picture in pixels. Both sides together are bounded by `maxPixels`. */
const side = { kind: 'integer', min: 1, max: 20_000 } as const
const maxPixels = 100_000_000

/** The picture options of the specification (4.9). `Quality` has the range of the PDF option of that name. */
export const pictureRules: Rules = {
  PixelWidth: side,
  PixelHeight: side,
  ColorMode: { kind: 'integer', min: 0, max: 1, default: 0 },
  Quality: { kind: 'integer', min: 1, max: 100, default: 100 },
  Compression: { kind: 'integer', min: 0, max: 9, default: 0 },
  Interlaced: { kind: 'integer', min: 0, max: 1, default: 0 },
  Translucent: { kind: 'integer', min: 0, max: 1, default: 0 },
}

const sides = ['PixelWidth', 'PixelHeight']
const takes: Readonly<Record<FormatId, readonly string[]>> = {
  jpg: [...sides, 'ColorMode', 'Quality'],
  png: [...sides, 'ColorMode', 'Compression', 'Interlaced', 'Translucent'],
}

/** Options that mean something for a picture of this format. */
export function pictureOptions(to: FormatId): readonly string[] {
  return takes[to] ?? sides
}

export function pictureFilterData(
  to: FormatId,
  given: Readonly<Record<string, Value>>,
): Record<string, Value> {
  const width = given['PixelWidth'] as number | undefined
  const height = given['PixelHeight'] as number | undefined
  if (width !== undefined && height !== undefined && width * height > maxPixels)
    throw new AppError('convert.options', {
      option: 'PixelWidth',
      rule: `times PixelHeight must be at most ${maxPixels} pixels`,
    })
  const data: Record<string, Value> = {}
  for (const name of pictureOptions(to)) {
    const rule = pictureRules[name]
    const value = given[name] ?? (rule !== undefined && 'default' in rule ? rule.default : undefined)
    if (value !== undefined) data[name] = value
  }
  return data
}
