/**
 * InDesign documents (IDML) in pure TypeScript, on both hosts: as pages in OpenDocument, from which the
 * office makes all other formats (`write-pages.ts`), and as running text (`to-flow.ts`). The engine is a
 * helper before the office. Read `engine.ts` next.
 */
import { defineEngine } from '../../../shared/plugin/contract.ts'
import { type IgnoredOptions, ignoredOptions } from '../../../shared/plugin/ignored-options.ts'
import { lazyEngine } from '../../../shared/plugin/lazy-engine.ts'
import { conversions, title } from './conversions.ts'

export default defineEngine<object, IgnoredOptions>({
  kind: 'engine',
  contract: 1,
  id: 'idml',
  title,
  standsFor: ['L'],
  sides: ['edge', 'origin'],
  conversions,
  settings: { json: { type: 'object' }, parse: () => ({ ok: true, value: {} }) },
  options: ignoredOptions,
  create: lazyEngine(async () => (await import('./engine.ts')).createEngine),
})
