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

const sides = ['PixelWidth', 'PixelHeight', 'Resolution', 'PageRange', 'ColorMode']
const taken: Readonly<Record<string, readonly string[]>> = {
  png: [...sides, 'Compression', 'Interlaced', 'Translucent'],
  jpg: [...sides, 'Quality'],
  webp: [...sides, 'Quality', 'Translucent'],
  tiff: [...sides, 'Translucent'],
  gif: [...sides, 'Translucent'],
  bmp: sides,
  svg: ['PageRange'],
  eps: ['PageRange'],
}

/** Names of the options that apply to this output. */
export function optionsOf(to: string): readonly string[] {
  return taken[to] ?? []
}

/** The given options that have no meaning for this output. */
export function idleOptions(to: string, given: PageOptions): readonly string[] {
  const known = optionsOf(to)
  return Object.keys(given).filter((name) => name !== 'hardRefresh' && !known.includes(name))
}
