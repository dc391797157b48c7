/**
 * LibreOffice as an engine. Input: documents of the office families, text, HTML, CSV, PDF. Output: the formats in
 * `families.ts`.
 *
 * Long-lived office processes, each with one document at a time, are controlled over UNO by `bridge.py`; the host's
 * pool manages them (queue, deadline, memory, restart). Next, read `engine.ts`, then `request.ts` (job to media
 * descriptor), `bridge-unit.ts` (one process) and `families.ts` (filters).
 */
import { defineEngine } from '../../../shared/plugin/contract.ts'
import { lazyEngine } from '../../../shared/plugin/lazy-engine.ts'
import { conversions, title } from './conversions.ts'
import { optionsSchema } from './options.ts'
import { settingsSchema } from './settings.ts'

export default defineEngine({
  kind: 'engine',
  contract: 1,
  id: 'libreoffice',
  letter: 'L',
  title,
  defaultFor: ['document', 'spreadsheet', 'presentation', 'graphics', 'text', 'data'],
  sides: ['origin'],
  programs: 'plain',
  conversions,
  settings: settingsSchema,
  options: optionsSchema,
  create: lazyEngine(async () => (await import('./engine.ts')).createEngine),
})
