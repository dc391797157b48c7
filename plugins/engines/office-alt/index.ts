/**
 * Engine O: an office other than LibreOffice, DOCX, XLSX and PPTX to PDF. At the start the first available
 * one is chosen: an ONLYOFFICE Docs server (`onlyoffice.ts`), its converter on this machine (`x2t.ts`), or
 * what distributions package: Calligra, AbiWord and Gnumeric (`packaged.ts`). `engine.ts` chooses and falls
 * back.
 */
import { defineEngine } from '../../../shared/plugin/contract.ts'
import { type IgnoredOptions, ignoredOptions } from '../../../shared/plugin/ignored-options.ts'
import { lazyEngine } from '../../../shared/plugin/lazy-engine.ts'
import { conversions, title } from './conversions.ts'
import { type AlternativeSettings, settingsSchema } from './settings.ts'

export default defineEngine<AlternativeSettings, IgnoredOptions>({
  kind: 'engine',
  contract: 1,
  id: 'office-alt',
  letter: 'O',
  title,
  optional: true,
  sides: ['origin'],
  programs: 'plain',
  conversions,
  settings: settingsSchema,
  options: ignoredOptions,
  create: lazyEngine(async () => (await import('./engine.ts')).createEngine),
})
