/**
 * PDF as input, by the programs of Poppler. In: PDF. Out: pages as pictures, one file each (`pages.ts`); and
 * the text, read by its positions (`text/flow.ts`), as Markdown, HTML, plain text, and the flat OpenDocument
 * formats from which an office makes all others.
 *
 * `engine.ts` chooses. The engine is a helper, used before and after any other. Each run is confined by the host
 * (`Host.runProgram`).
 */
import { defineEngine } from '../../../shared/plugin/contract.ts'
import { lazyEngine } from '../../../shared/plugin/lazy-engine.ts'
import { conversions, title } from './conversions.ts'
import { type CheckedPageOptions, optionsSchema } from './options.ts'

export default defineEngine<object, CheckedPageOptions>({
  kind: 'engine',
  contract: 1,
  id: 'poppler',
  title,
  standsFor: ['L'],
  sides: ['origin'],
  programs: 'plain',
  conversions,
  settings: { json: { type: 'object' }, parse: () => ({ ok: true, value: {} }) },
  options: optionsSchema,
  create: lazyEngine(async () => (await import('./engine.ts')).createEngine),
})
