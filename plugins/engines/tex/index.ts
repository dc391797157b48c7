/**
 * LaTeX and BibTeX. Read `engine.ts` next. `latex.ts` writes the document model that the format's reader produces;
 * `citations-odt.ts` and `citations-docx.ts` find the works that a document cites, and `bibtex.ts` writes
 * them.
 */
import { defineEngine } from '../../../shared/plugin/contract.ts'
import { type IgnoredOptions, ignoredOptions } from '../../../shared/plugin/ignored-options.ts'
import { lazyEngine } from '../../../shared/plugin/lazy-engine.ts'
import { conversions, title } from './conversions.ts'

export default defineEngine<object, IgnoredOptions>({
  kind: 'engine',
  contract: 1,
  id: 'tex',
  title,
  sides: ['origin'],
  conversions,
  settings: { json: { type: 'object' }, parse: () => ({ ok: true, value: {} }) },
  options: ignoredOptions,
  create: lazyEngine(async () => (await import('./engine.ts')).createEngine),
})
