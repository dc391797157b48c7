import { optionFlag, optionNumber, optionText } from './option-rules.ts'
import { lengthRule, paperRule, readLength, readPaper } from './paper.ts'

const margin = optionText(20, {
  accepts: (text) => readLength(text) !== undefined,
  says: lengthRule,
  unit: 'px',
})

/**
 * Options for the paper of a web page, for every engine that prints one. `@page` rules of its style sheet take precedence over
 * all of them.
 */
export const pageOptionRules = {
  PaperSize: optionText(40, { accepts: (text) => readPaper(text) !== undefined, says: paperRule }),
  Landscape: optionFlag(false),
  MarginTop: margin,
  MarginRight: margin,
  MarginBottom: margin,
  MarginLeft: margin,
  PrintBackground: optionFlag(true),
  Scale: optionNumber(0.1, 2, 1),
} as const
