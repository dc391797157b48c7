/** What the service can make of a type of template, from GET /conversions. */
export interface Pair {
  readonly from: string
  readonly to: string
  readonly converters: readonly string[]
}

export interface Output {
  readonly name: string
  /** One of those that a template designer looks for. */
  readonly usual: boolean
  readonly converters: readonly string[]
}

const usual = [
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

/** The usual ones first. Without what the template is itself: that needs no conversion. */
export function outputsFor(pairs: readonly Pair[], type: string): readonly Output[] {
  const rank = (name: string) => (usual.includes(name) ? usual.indexOf(name) : usual.length)
  return pairs
    .filter(({ from, to }) => from === type && to !== type)
    .map(({ to, converters }) => ({ name: to, usual: usual.includes(to), converters }))
    .toSorted((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1))
}

/** How a browser shows a file of this media type; 'file': not at all. */
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

/**
 * An HTML document to be shown in a sandbox: it loads nothing over the network and its links lead nowhere, whoever's page
 * the studio stands in.
 */
export function harmless(html: string): string {
  const rules = "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'"
  return `<!doctype html><meta http-equiv="Content-Security-Policy" content="${rules}"><base target="_blank">${html.replace(/^\s*<!doctype[^>]*>/i, '')}`
}
