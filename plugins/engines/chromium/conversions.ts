import type { Conversion } from '../../../shared/plugin/contract.ts'
import type { FormatId } from '../../../shared/plugin/values.ts'
import { optionsOf } from './options.ts'

export const title = 'Chromium'

/** ms for a typical page, measured warm with the whole browser; the shell takes half of it for a PDF. */
const costs = { pdf: 50, png: 60, jpg: 60, webp: 80 } as const
/** HTML is set into a page; XML must be navigated to. */
const sources: Readonly<Record<FormatId, number>> = { html: 0, xhtml: 40, svg: 40 }

export const conversions: readonly Conversion[] = Object.entries(sources).flatMap(([from, extra]) =>
  Object.entries(costs).map(([to, cost]) => ({
    from,
    to,
    fidelity: 'exact' as const,
    cost: cost + extra,
    options: optionsOf(to),
  })),
)
