/**
 * DrawingML charts for the template compiler: a tag in one of their texts, or among the cached values of a chart without a
 * workbook. Source: ECMA-376-1, clause 21.2.
 */
import type { FormatRules } from '../../template/rules.ts'
import type { Token } from '../../template/scan/tokens.ts'
import { numberOf } from '../sheet/typed.ts'

export const chartRules: FormatRules = {
  elements: { p: ['a:p'], chart: ['c:ser'] },
  paragraphs: ['a:p', 'c:pt', 'pt'],
  noise: [],
  runs: { 'a:r': { text: ['a:t'], properties: ['a:rPr'] } },
  emptyParagraph: { in: ['c:rich', 'c:txPr'], markup: '<a:p><a:endParaRPr/></a:p>' },
  prepare: (_part, tokens) => numbersInCaches(tokens),
}

/** Tags among cached numbers print plain numbers: the format of the axis decides how they are shown. */
function numbersInCaches(tokens: readonly Token[]): readonly Token[] {
  let depth = 0
  return tokens.map((token) => {
    if ((token.kind === 'open' || token.kind === 'close') && /(?:^|:)numCache$/.test(token.name))
      depth += token.kind === 'open' ? 1 : -1
    if (token.kind !== 'tag' || depth === 0) return token
    return { ...token, absorbs: 'formatN', output: (value) => String(numberOf(value) ?? '') }
  })
}
