/**
 * Markdown and web pages in pure TypeScript, on both hosts. The flow model (`shared/flow`) is what they have
 * in common with office documents. The engine is a helper: the office and the browser make all other formats
 * of its outputs. Read `engine.ts` next.
 */
import { defineEngine } from '../../../shared/plugin/contract.ts'
import { ignoredOptions } from '../../../shared/plugin/ignored-options.ts'
import { lazyEngine } from '../../../shared/plugin/lazy-engine.ts'
import { conversions, title } from './conversions.ts'

export default defineEngine({
  kind: 'engine',
  contract: 1,
  id: 'web',
  title,
  standsFor: ['L', 'C'],
  sides: ['edge', 'origin'],
  conversions,
  settings: { json: { type: 'object' }, parse: () => ({ ok: true, value: {} }) },
  options: ignoredOptions,
  create: lazyEngine(async () => (await import('./engine.ts')).createWebEngine),
  prepare: async (job, host, signal) => (await import('./page/remote.ts')).preparePage(job, host, signal),
})
