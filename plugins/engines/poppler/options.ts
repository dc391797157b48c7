import { entryOf } from '../../../shared/entry-of.ts'
import { pageRangeRule, parsePageRange } from '../../../shared/pdf/stage/page-range.ts'
import {
  type CheckedOptions,
  type OptionsOf,
  optionFlag,
  optionText,
  optionsSchema as schemaOf,
} from '../../../shared/plugin/option-rules.ts'
import { pictureOptionRules } from '../../../shared/plugin/pictures.ts'

const rules = {
  ...pictureOptionRules,
  PageRange: optionText(1000, {
    accepts: (text) => parsePageRange(text) !== undefined,
    says: pageRangeRule.replace(/^must be /, ''),
  }),
  hardRefresh: optionFlag(),
} as const

export type PageOptions = OptionsOf<typeof rules>
export type CheckedPageOptions = CheckedOptions<typeof rules>
export const optionsSchema = schemaOf(rules)

const pixelOptions = ['PixelWidth', 'PixelHeight', 'Resolution', 'PageRange', 'ColorMode']
const optionsByFormat: Readonly<Record<string, readonly string[]>> = {
  png: [...pixelOptions, 'Compression', 'Interlaced', 'Translucent'],
  jpg: [...pixelOptions, 'Quality'],
  webp: [...pixelOptions, 'Quality', 'Translucent'],
  tiff: [...pixelOptions, 'Translucent'],
  gif: [...pixelOptions, 'Translucent'],
  bmp: pixelOptions,
  svg: ['PageRange'],
  eps: ['PageRange'],
}

/** Names of the options that apply to this output. */
export function optionsOf(to: string): readonly string[] {
  return entryOf(optionsByFormat, to) ?? []
}

/** The given options that have no effect on this output. */
export function idleOptions(to: string, given: PageOptions): readonly string[] {
  const applicable = optionsOf(to)
  return Object.keys(given).filter((name) => name !== 'hardRefresh' && !applicable.includes(name))
}
