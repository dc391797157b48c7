/**
 * Markdown and web pages in pure TypeScript, on both sides: what they have in common with office documents is a flow
 * (`shared/flow`). A helper: it stands before the office and the browser, which make everything else of its outputs.
 * Read `engine.ts` next.
 */
import { defineEngine } from '../../../shared/plugin/contract.ts'
import { ignoredOptions } from '../../../shared/plugin/ignored-options.ts'
import { conversions, createWebEngine, title } from './engine.ts'
import { preparePage } from './page/remote.ts'

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
  create: createWebEngine,
  prepare: preparePage,
})
