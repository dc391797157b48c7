/**
 * Tables as data. Input: an ODS from another engine, which declares the type of each cell (`read-sheets.ts`). Output:
 * Parquet, dBase, Numbers and the XML of Excel 2003. Next, read `engine.ts`.
 */
import { defineEngine } from '../../../shared/plugin/contract.ts'
import { type IgnoredOptions, ignoredOptions } from '../../../shared/plugin/ignored-options.ts'
import { lazyEngine } from '../../../shared/plugin/lazy-engine.ts'
import { conversions, title } from './conversions.ts'

export default defineEngine<object, IgnoredOptions>({
  kind: 'engine',
  contract: 1,
  id: 'tables',
  title,
  sides: ['origin'],
  conversions,
  settings: { json: { type: 'object' }, parse: () => ({ ok: true, value: {} }) },
  options: ignoredOptions,
  create: lazyEngine(async () => (await import('./engine.ts')).createEngine),
})
