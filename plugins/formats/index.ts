import type { FormatPlugin } from '../../shared/plugin/contract.ts'
import * as all from './all.ts'

/**
 * Formats that recognize markup and text of any kind, from the most specific to the most general. All other formats recognize
 * their own files with certainty and are tried first. Markdown precedes HTML, because it may begin with a block of it.
 */
const general = ['svg', 'xhtml', 'md', 'html', 'xml', 'csv', 'txt']

/**
 * The formats of `all.ts`, in the order in which they are tried on a file. Formats with tags come first: an OTT is a template
 * of the format ODT before it is the format `ott` that engines write.
 */
export const formats: readonly FormatPlugin[] = Object.values(all)
  .flat()
  .toSorted(
    (a, b) => general.indexOf(a.id) - general.indexOf(b.id) || Number(!a.template) - Number(!b.template),
  )
