/**
 * Finds the hyphenation patterns that a document needs. The dictionary of the office programs on this machine
 * comes first, so that both engines divide words alike; then the patterns shipped with the engine. A document
 * without hyphenation loads nothing.
 */

import type { Block } from '../../../shared/document/content.ts'
import type { Document } from '../../../shared/document/document.ts'
import type { DrawingContent } from '../../../shared/document/drawing.ts'
import type { RunProperties } from '../../../shared/document/properties.ts'
import { entryOf } from '../../../shared/entry-of.ts'
import type { Codec } from '../../../shared/plugin/values.ts'
import { createHyphenator, type Hyphenator } from './text/hyphenate.ts'
import { readHyphenationFile } from './text/hyphenation-file.ts'

/**
 * The files in `assets/hyphenation`, with the pattern names of the package `hyphen` from which
 * `test/run/build-hyphenation.ts` builds them.
 */
export const shippedLanguages = {
  en_US: 'en-us',
  en_GB: 'en-gb',
  de: 'de-1996',
  fr: 'fr',
  es: 'es',
  it: 'it',
  pt: 'pt',
  nl: 'nl',
  pl: 'pl',
  cs: 'cs',
  sv: 'sv',
  da: 'da',
  nb: 'nb',
  fi: 'fi',
  hu: 'hu',
  ru: 'ru',
  uk: 'uk',
  ro: 'ro',
  sk: 'sk',
  sl: 'sl',
  hr: 'hr',
  tr: 'tr',
  el: 'el-monoton',
  ca: 'ca',
} as const satisfies Record<string, string>

/** Returns the hyphenator for a language tag; undefined when there are no patterns. */
export type Hyphenators = (language: string | undefined) => Hyphenator | undefined

/**
 * Loads a file by name, such as `hyphenation/de_DE.dic` or `hyphenation/de.bin`; undefined when it does not
 * exist.
 */
export type HyphenationFiles = (name: string) => Promise<Uint8Array | undefined>

/** The patterns loaded so far, shared by all documents of the engine. */
export interface HyphenationCache {
  /** Loads the patterns for the languages of a document; undefined when it is not hyphenated. */
  forDocument(document: Document): Promise<Hyphenators | undefined>
}

/** The language of text that declares none (observed in LibreOffice). */
const defaultLanguage = 'en-US'

/** The size limit of a dictionary in bytes. The largest one, German, has 1.1 MB. */
const maxFileBytes = 8_000_000
/**
 * The maximum number of cached languages; the least recently used one is removed first. German, the largest, takes some
 * 20 MB.
 */
const maxLanguages = 8

export function createHyphenationCache(files: HyphenationFiles, codec: Codec): HyphenationCache {
  const cached = new Map<string, Promise<Hyphenator | undefined>>()
  const load = async (language: string): Promise<Hyphenator | undefined> => {
    for (const name of fileNames(language)) {
      const bytes = await files(`hyphenation/${name}`)
      if (bytes === undefined || bytes.length > maxFileBytes) continue
      const file = name.endsWith('.bin') ? codec.inflateRaw(bytes, maxFileBytes) : bytes
      return createHyphenator(readHyphenationFile(file))
    }
    return undefined
  }
  return {
    async forDocument(document) {
      const languages = [...languagesOf(document)].slice(0, maxLanguages)
      if (languages.length === 0) return undefined
      const hyphenators = new Map<string, Hyphenator | undefined>()
      for (const language of languages) {
        const loading = cached.get(language) ?? load(language)
        cached.delete(language)
        cached.set(language, loading)
        if (cached.size > maxLanguages) cached.delete(cached.keys().next().value!)
        hyphenators.set(language, await loading)
      }
      return (language = defaultLanguage) => hyphenators.get(language)
    },
  }
}

/** Languages that use the patterns of another one: those of Bokmål serve all of Norwegian. */
const sameRules: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb' }

/**
 * The file names to try for a language such as 'de-AT', in order: the dictionary of the country, that of the
 * language, the shipped patterns.
 */
function fileNames(language: string): string[] {
  const [base = '', region] = language.split(/[-_]/)
  const installed = region === undefined ? [base] : [`${base}_${region}`, base]
  const shippedName =
    base === 'en'
      ? `en_${region === undefined || region === 'US' ? 'US' : 'GB'}`
      : (entryOf(sameRules, base) ?? base)
  const shipped = shippedName in shippedLanguages ? [`${shippedName}.bin`] : []
  return [...installed.map((name) => `${name}.dic`), ...shipped]
}

/** The languages of all text that may be hyphenated; empty when the document is not hyphenated. */
function languagesOf(document: Document): ReadonlySet<string> {
  const { styles, settings } = document
  if (!settings.hyphenate) return new Set()
  const languages = new Set([defaultLanguage])
  const visitRun = ({ language }: RunProperties): void => {
    if (language !== undefined && /^[a-z]{2,3}([-_][A-Za-z]{2,8})?$/.test(language)) languages.add(language)
  }
  for (const style of styles.styles.values()) visitRun(style.run)
  visitRun(styles.defaults.run)
  const visitDrawing = (content: DrawingContent): void => {
    if (content.kind === 'group') for (const child of content.children) visitDrawing(child.drawing.content)
    if (content.kind === 'shape') visitBlocks(content.text?.blocks ?? [])
  }
  const visitBlocks = (blocks: readonly Block[]): void => {
    for (const block of blocks) {
      if (block.kind === 'table') {
        for (const row of block.rows) for (const cell of row.cells) visitBlocks(cell.blocks)
        continue
      }
      for (const inline of block.inlines) {
        if (inline.kind === 'text') visitRun(inline.run)
        else if (inline.kind === 'drawing') visitDrawing(inline.drawing.content)
      }
    }
  }
  for (const section of document.sections) {
    visitBlocks(section.blocks)
    for (const variants of [section.headers, section.footers])
      for (const blocks of [variants.default, variants.first, variants.even]) visitBlocks(blocks ?? [])
  }
  for (const note of document.notes.values()) visitBlocks(note.blocks)
  return languages
}
