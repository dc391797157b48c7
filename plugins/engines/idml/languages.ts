/** Converts the names of languages in InDesign, '$ID/English: UK', to the parts of a BCP 47 tag. */
import { entryOf } from '../../../shared/entry-of.ts'

const names: Readonly<Record<string, readonly [language: string, country?: string]>> = {
  Arabic: ['ar', 'SA'],
  Bulgarian: ['bg', 'BG'],
  Catalan: ['ca', 'ES'],
  Croatian: ['hr', 'HR'],
  Czech: ['cs', 'CZ'],
  Danish: ['da', 'DK'],
  Dutch: ['nl', 'NL'],
  English: ['en', 'US'],
  'English: Canadian': ['en', 'CA'],
  'English: UK': ['en', 'GB'],
  'English: USA': ['en', 'US'],
  Estonian: ['et', 'EE'],
  Finnish: ['fi', 'FI'],
  French: ['fr', 'FR'],
  'French: Canadian': ['fr', 'CA'],
  German: ['de', 'DE'],
  'German: Austrian': ['de', 'AT'],
  'German: Swiss': ['de', 'CH'],
  Greek: ['el', 'GR'],
  Hebrew: ['he', 'IL'],
  Hungarian: ['hu', 'HU'],
  Italian: ['it', 'IT'],
  Latvian: ['lv', 'LV'],
  Lithuanian: ['lt', 'LT'],
  Norwegian: ['nb', 'NO'],
  Polish: ['pl', 'PL'],
  Portuguese: ['pt', 'PT'],
  'Portuguese: Brazilian': ['pt', 'BR'],
  Romanian: ['ro', 'RO'],
  Russian: ['ru', 'RU'],
  Slovak: ['sk', 'SK'],
  Slovenian: ['sl', 'SI'],
  Spanish: ['es', 'ES'],
  Swedish: ['sv', 'SE'],
  Turkish: ['tr', 'TR'],
  Ukrainian: ['uk', 'UA'],
}

export function languageOf(
  name: string | undefined,
): readonly [language: string, country?: string] | undefined {
  const languageName = (name ?? '').replace(/^\$ID\//, '')
  // Spelling reforms and similar variants follow the language.
  return entryOf(names, languageName) ?? entryOf(names, languageName.split(':')[0])
}
