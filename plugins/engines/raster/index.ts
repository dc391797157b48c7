/**
 * Old picture formats that are simple enough to be written here. Input: a BMP from another engine. Output: one file.
 * Next, read `engine.ts`. `bitmap.ts` reads the BMP; each output format has a file of its own.
 */
import { defineEngine } from '../../../shared/plugin/contract.ts'
import { type IgnoredOptions, ignoredOptions } from '../../../shared/plugin/ignored-options.ts'
import { lazyEngine } from '../../../shared/plugin/lazy-engine.ts'
import { conversions, title } from './conversions.ts'

export default defineEngine<object, IgnoredOptions>({
  kind: 'engine',
  contract: 1,
  id: 'raster',
  title,
  sides: ['edge', 'origin'],
  conversions,
  settings: { json: { type: 'object' }, parse: () => ({ ok: true, value: {} }) },
  options: ignoredOptions,
  create: lazyEngine(async () => (await import('./engine.ts')).createEngine),
})
