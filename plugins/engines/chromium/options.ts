import {
  type CheckedOptions,
  type OptionsOf,
  optionFlag,
  optionNumber,
  optionText,
  optionsSchema as schemaOf,
} from '../../../shared/plugin/option-rules.ts'
import { pictureOptionRules } from '../../../shared/plugin/pictures.ts'
import { lengthRule, paperRule, readLength, readPaper } from './paper.ts'

const maxTemplateLength = 100_000
const margin = optionText(20, {
  accepts: (text) => readLength(text) !== undefined,
  says: lengthRule,
  unit: 'px',
})
const template = optionText(maxTemplateLength)

/** Options for the paper of a page. `@page` rules of its style sheet take precedence over all of them. */
const paperRules = {
  PaperSize: optionText(40, { accepts: (text) => readPaper(text) !== undefined, says: paperRule }),
  Landscape: optionFlag(false),
  MarginTop: margin,
  MarginRight: margin,
  MarginBottom: margin,
  MarginLeft: margin,
  PrintBackground: optionFlag(true),
  Scale: optionNumber(0.1, 2, 1),
  HeaderTemplate: template,
  FooterTemplate: template,
  UseTaggedPDF: optionFlag(false),
  ExportBookmarks: optionFlag(true),
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
  return optionsByFormat[to] ?? []
}

/** Options that were given and have no effect on this output. */
export function idleOptions(to: string, given: BrowserOptions): readonly string[] {
  const applicable = optionsOf(to)
  return Object.keys(given).filter((name) => name !== 'hardRefresh' && !applicable.includes(name))
}
