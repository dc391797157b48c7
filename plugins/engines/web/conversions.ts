import type { Conversion } from '../../../shared/plugin/contract.ts'

export const title = 'Markup'

export const texts = ['txt', 'text', 'etext', 'text10'] as const

/**
 * ms for a typical page. Markdown becomes an office document by OpenDocument rather than by HTML, because the
 * import of HTML ignores styles; a page becomes a picture by HTML. Markdown and plain text lose content, so
 * their fidelity is basic and no route uses them as an intermediate format.
 */
export const conversions: readonly Conversion[] = [
  { from: 'md', to: 'html', fidelity: 'exact', cost: 10 },
  { from: 'md', to: 'html10', fidelity: 'exact', cost: 10 },
  { from: 'md', to: 'fodt', fidelity: 'exact', cost: 5 },
  ...['html', 'xhtml'].flatMap((from): Conversion[] => [
    { from, to: 'md', fidelity: 'basic', cost: 40 },
    { from, to: 'fodt', fidelity: 'high', cost: 10 },
    { from, to: 'fods', fidelity: 'high', cost: 10 },
    ...texts.map((to): Conversion => ({ from, to, fidelity: 'basic', cost: 10 })),
  ]),
  { from: 'html', to: 'html10', fidelity: 'exact', cost: 10 },
  { from: 'xhtml', to: 'html', fidelity: 'exact', cost: 10 },
  { from: 'xhtml', to: 'html10', fidelity: 'exact', cost: 10 },
  // XML of an unknown vocabulary is shown as it is written; DocBook articles and books are read as documents.
  ...['xml', 'docbook'].flatMap((from): Conversion[] => [
    { from, to: 'html', fidelity: from === 'xml' ? 'exact' : 'high', cost: 10 },
    { from, to: 'html10', fidelity: from === 'xml' ? 'exact' : 'high', cost: 10 },
    { from, to: 'fodt', fidelity: from === 'xml' ? 'exact' : 'high', cost: 5 },
    { from, to: 'md', fidelity: 'basic', cost: 40 },
    ...texts.map((to): Conversion => ({ from, to, fidelity: 'basic', cost: 10 })),
  ]),
  ...['docx', 'odt'].map((from): Conversion => ({ from, to: 'md', fidelity: 'basic', cost: 60 })),
  // The text of slides without their formatting, so no other format is made of it.
  ...['pptx', 'odp'].flatMap((from) =>
    ['md', 'html', 'txt', 'text'].map(
      (to): Conversion => ({ from, to, fidelity: 'basic', cost: 20, last: true }),
    ),
  ),
  // The office loses nested lists and code listings on this route.
  ...['docx', 'odt', 'html', 'xhtml', 'md'].map(
    (from): Conversion => ({ from, to: 'docbook', fidelity: 'high', cost: 30 }),
  ),
]
