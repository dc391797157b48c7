/** The outputs that the service can make from a type of template, from GET /conversions. */
export interface OutputPair {
  readonly from: string
  readonly to: string
  readonly converters: readonly string[] // letters
  readonly engines?: readonly string[] // their titles
}

export interface OutputChoice {
  readonly name: string
  /** Whether template designers use this output often. */
  readonly common: boolean
  readonly converters: readonly string[]
  /** The title of each letter, as far as the service names it. */
  readonly titles?: Readonly<Record<string, string>>
}

const common = [
  'pdf',
  'docx',
  'odt',
  'xlsx',
  'ods',
  'pptx',
  'odp',
  'html',
  'md',
  'txt',
  'csv',
  'png',
  'jpg',
  'svg',
]

/** The outputs of a type, common ones first. The type itself is omitted, because it needs no conversion. */
export function outputsFor(pairs: readonly OutputPair[], type: string): readonly OutputChoice[] {
  const rank = (name: string) => (common.includes(name) ? common.indexOf(name) : common.length)
  return pairs
    .filter(({ from, to }) => from === type && to !== type)
    .map(({ to, converters, engines = [] }) => ({
      name: to,
      common: common.includes(to),
      converters,
      ...(engines.length > 0 && {
        titles: Object.fromEntries(converters.map((letter, at) => [letter, engines[at] ?? letter])),
      }),
    }))
    .toSorted((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1))
}

/** How a browser shows a file of this media type; 'file' means that it does not. */
export type Shown = 'pdf' | 'picture' | 'page' | 'text' | 'file'

const pictures = /^image\/(?:png|jpeg|gif|webp|bmp|svg\+xml)$/
const texts = /^(?:text\/(?!rtf)|application\/(?:json|xml|x-latex)$|application\/[\w.]+\+xml$)/

export function shownAs(mime: string): Shown {
  const [type = ''] = mime.toLowerCase().split(';')
  if (type === 'application/pdf') return 'pdf'
  if (pictures.test(type)) return 'picture'
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'page'
  return texts.test(type) ? 'text' : 'file'
}

/** Prepares an HTML document for a sandbox: it loads nothing over the network, and its links lead nowhere. */
export function harmless(html: string): string {
  const rules = "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'"
  return `<!doctype html><meta http-equiv="Content-Security-Policy" content="${rules}"><base target="_blank">${html.replace(/^\s*<!doctype[^>]*>/i, '')}`
}
