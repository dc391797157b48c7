import { AppError } from '../../../../shared/errors/app-error.ts'
import type { FormatId } from '../../../../shared/plugin/contract.ts'
import type { OptionRules } from '../../../../shared/plugin/option-rules.ts'
import { mostPixels, pictureOptionRules } from '../../../../shared/plugin/pictures.ts'

const rules: OptionRules = pictureOptionRules

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
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const width = given['PixelWidth'] as number | undefined
  const height = given['PixelHeight'] as number | undefined
  if (width !== undefined && height !== undefined && width * height > mostPixels)
    throw new AppError('convert.options', {
      option: 'PixelWidth',
      rule: `times PixelHeight must be at most ${mostPixels} pixels`,
    })
  const data: Record<string, unknown> = {}
  for (const name of pictureOptions(to)) {
    const value = given[name] ?? rules[name]?.json['default']
    if (value !== undefined) data[name] = value
  }
  return data
}
