import { knownFormats } from '../plugins/formats/known/index.ts'
import type { FormatPlugin } from '../shared/plugin/contract.ts'

/** The formats of this side, in the order in which they are asked what a file is. Merge workers load only these. */
export const formats: readonly FormatPlugin[] = [...knownFormats]
