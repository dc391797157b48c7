/**
 * Chromium as an engine. Input: HTML, XHTML, SVG. Output: PDF, PNG, JPG, WEBP.
 *
 * The host's pool keeps one browser; each of its pages has a context and a process of its own and is reused. No
 * script of a document runs, and no request leaves the browser: `requests.ts` answers them under the egress policy.
 * Next, read `engine.ts`, then `page.ts` (one document on one page), `print.ts` and `picture.ts`.
 */
import { defineEngine } from '../../../shared/plugin/contract.ts'
import { lazyEngine } from '../../../shared/plugin/lazy-engine.ts'
import { conversions, title } from './conversions.ts'
import { optionsSchema } from './options.ts'
import { settingsSchema } from './settings.ts'

export default defineEngine({
  kind: 'engine',
  contract: 1,
  id: 'chromium',
  letter: 'C',
  title,
  defaultFor: ['web'],
  conformable: true,
  sides: ['origin'],
  programs: 'browser',
  conversions,
  settings: settingsSchema,
  options: optionsSchema,
  create: lazyEngine(async () => (await import('./engine.ts')).createEngine),
})
