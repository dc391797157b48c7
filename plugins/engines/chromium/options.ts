import { entryOf } from '../../../shared/entry-of.ts'
import {
  type CheckedOptions,
  type OptionsOf,
  optionFlag,
  optionText,
  optionsSchema as schemaOf,
} from '../../../shared/plugin/option-rules.ts'
import { pageOptionRules } from '../../../shared/plugin/page-options.ts'
import { pictureOptionRules } from '../../../shared/plugin/pictures.ts'

const maxTemplateLength = 100_000
const template = optionText(maxTemplateLength)

const paperRules = {
  ...pageOptionRules,
  HeaderTemplate: template,
  FooterTemplate: template,
  UseTaggedPDF: optionFlag(false),
  ExportBookmarks: optionFlag(true),
  SinglePage: optionFlag(false),
} as const

const rules = { ...paperRules, ...pictureOptionRules, hardRefresh: optionFlag() } as const

export type BrowserOptions = OptionsOf<typeof rules>
export type BrowserChecked = CheckedOptions<typeof rules>
export const optionsSchema = schemaOf(rules)

const pixelOptions = ['PixelWidth', 'PixelHeight', 'Resolution', 'ColorMode', 'Translucent']
const optionsByFormat: Readonly<Record<string, readonly string[]>> = {
  pdf: Object.keys(paperRules),
  png: [...pixelOptions, 'Compression', 'Interlaced'],
  jpg: ['PixelWidth', 'PixelHeight', 'ColorMode', 'Quality'],
  webp: [...pixelOptions, 'Quality'],
}

/** Names of the options that apply to this output. */
export function optionsOf(to: string): readonly string[] {
  return entryOf(optionsByFormat, to) ?? []
}

/** The given options that have no effect on this output. */
export function idleOptions(to: string, given: BrowserOptions): readonly string[] {
  const applicable = optionsOf(to)
  return Object.keys(given).filter((name) => name !== 'hardRefresh' && !applicable.includes(name))
}
