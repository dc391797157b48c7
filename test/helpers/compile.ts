import { defaultLimits } from '../../shared/limits.ts'
import { Aliases } from '../../shared/template/bind/aliases.ts'
import { bindPart, type ScopedPart } from '../../shared/template/bind/bind.ts'
import type { BindContext } from '../../shared/template/bind/part.ts'
import { readPart } from '../../shared/template/bind/read-part.ts'
import { Report } from '../../shared/template/bind/report.ts'
import { dumpTokens } from '../../shared/template/dump.ts'
import { type ElementTree, nest } from '../../shared/template/nest/tree.ts'
import type { FormatRules } from '../../shared/template/rules.ts'
import { scanPart } from '../../shared/template/scan/part.ts'
import type { Token } from '../../shared/template/scan/tokens.ts'
import type { Syntax } from '../../shared/template/template-part.ts'

/** Rules in short names: a table `t` of rows `r` of cells `c`, paragraphs `p` of runs `w`. */
export const plainRules: FormatRules = {
  elements: { row: ['r'], col: ['c'], p: ['p'], table: ['t'] },
  paragraphs: ['p', 'r'],
  noise: ['noise'],
  deleted: ['deleted'],
  characters: { hyphen: '-' },
  runs: { w: { text: ['x'], properties: ['wp'] } },
  grid: { row: 'r', cell: 'c', holder: 'grid', column: 'col', span: { attribute: 'span' } },
}

/** The tokens of a part, with runs split and row spans followed. */
export function tokensOf(text: string, syntax: Syntax = 'xml', rules = plainRules): readonly Token[] {
  const source = { format: 'xml', rules }
  return scanPart({ name: 'part', syntax, text }, source, defaultLimits, true)?.tokens ?? []
}

/** One token a line, as `platen plan` prints them, without their indexes. */
export const tokenLines = (text: string, syntax: Syntax = 'xml', rules = plainRules): string[] =>
  dumpTokens(tokensOf(text, syntax, rules)).map((line) => line.slice(5))

export const treeOf = (text: string, rules = plainRules): ElementTree => nest(tokensOf(text, 'xml', rules))

export function contextOf(text: string, rules = plainRules): BindContext {
  return {
    part: 'part',
    format: 'xml',
    limits: defaultLimits,
    report: new Report(['part']),
    tolerant: false,
    rules,
    tree: treeOf(text, rules),
    cellsOfRow: new Map(),
  }
}

/** A part after the bind pass. Problems are in `context.report`. */
export function boundPart(text: string, rules = plainRules): ScopedPart {
  const aliases = new Aliases()
  const context = contextOf(text, rules)
  for (const token of context.tree.tokens) if (token.kind === 'tag') aliases.declare(token.text)
  const { values, translations, objectArrays } = readPart(context, aliases)
  let slots = 0
  return bindPart(context, { values, translations, objectArrays }, () => slots++)
}

/** The codes of what was reported, in the order of reading. */
export const codesOf = ({ context }: Pick<ScopedPart, 'context'>): string[] =>
  context.report.problems.map(({ code }) => code)
