/** Kinds of templates: how each is recognized by its name, media type or bytes, and how it is shown. */
export interface FileKind {
  readonly type: string // the file extension, 'docx'
  readonly mime: string
  readonly group: 'document' | 'sheet' | 'slides' | 'web' | 'text' | 'fixed' | 'other'
  /** Whether its text can be edited in the studio. */
  readonly editable?: true
  /** Its tags are not read, so it can only be converted. */
  readonly convertOnly?: true
}

const office = 'application/vnd.openxmlformats-officedocument'
const odf = 'application/vnd.oasis.opendocument'

const kinds: readonly FileKind[] = [
  { type: 'docx', mime: `${office}.wordprocessingml.document`, group: 'document' },
  { type: 'docm', mime: 'application/vnd.ms-word.document.macroEnabled.12', group: 'document' },
  { type: 'odt', mime: `${odf}.text`, group: 'document' },
  { type: 'doc', mime: 'application/msword', group: 'document', convertOnly: true },
  { type: 'rtf', mime: 'application/rtf', group: 'document' },
  { type: 'xlsx', mime: `${office}.spreadsheetml.sheet`, group: 'sheet' },
  { type: 'xlsm', mime: 'application/vnd.ms-excel.sheet.macroEnabled.12', group: 'sheet' },
  { type: 'ods', mime: `${odf}.spreadsheet`, group: 'sheet' },
  { type: 'xls', mime: 'application/vnd.ms-excel', group: 'sheet', convertOnly: true },
  { type: 'pptx', mime: `${office}.presentationml.presentation`, group: 'slides' },
  { type: 'pptm', mime: 'application/vnd.ms-powerpoint.presentation.macroEnabled.12', group: 'slides' },
  { type: 'odp', mime: `${odf}.presentation`, group: 'slides' },
  { type: 'ppt', mime: 'application/vnd.ms-powerpoint', group: 'slides', convertOnly: true },
  { type: 'odg', mime: `${odf}.graphics`, group: 'fixed' },
  { type: 'pdf', mime: 'application/pdf', group: 'fixed' },
  { type: 'idml', mime: 'application/vnd.adobe.indesign-idml-package', group: 'fixed' },
  { type: 'html', mime: 'text/html', group: 'web', editable: true },
  { type: 'xhtml', mime: 'application/xhtml+xml', group: 'web', editable: true },
  { type: 'svg', mime: 'image/svg+xml', group: 'web', editable: true },
  { type: 'md', mime: 'text/markdown', group: 'text', editable: true },
  { type: 'csv', mime: 'text/csv', group: 'text', editable: true },
  { type: 'json', mime: 'application/json', group: 'text', editable: true },
  { type: 'xml', mime: 'application/xml', group: 'text', editable: true },
  { type: 'txt', mime: 'text/plain', group: 'text', editable: true },
]

const otherNames: Readonly<Record<string, string>> = {
  htm: 'html',
  markdown: 'md',
  fodt: 'odt',
  fods: 'ods',
  fodp: 'odp',
  'text/xml': 'xml',
  'text/rtf': 'rtf',
}

const unknown: FileKind = { type: '', mime: 'application/octet-stream', group: 'other' }

/** The value of `accept` for the file dialog. */
export const acceptedFiles = [...kinds.map(({ type }) => type), 'htm', 'markdown', 'fodt', 'fods', 'fodp']
  .map((name) => `.${name}`)
  .join(',')

export function kindOf(type: string): FileKind {
  const lower = type.toLowerCase()
  const canonical = otherNames[lower] ?? lower
  return kinds.find((kind) => kind.type === canonical) ?? { ...unknown, type: canonical }
}

/**
 * Detects the kind of a file by its name, then its media type, then its bytes. `served`: types that the service converts;
 * plugins add some that are unknown here.
 */
export function detectKind(
  bytes: Uint8Array,
  hints: { name?: string; mime?: string },
  served: ReadonlySet<string> = new Set(),
): FileKind {
  const extension = /\.(\w{1,8})$/.exec(hints.name ?? '')?.[1]
  if (extension !== undefined && kindOf(extension).mime !== unknown.mime) return kindOf(extension)
  if (extension !== undefined && served.has(extension.toLowerCase())) return kindOf(extension)
  const [mime = ''] = (hints.mime ?? '').toLowerCase().split(';')
  const named = otherNames[mime.trim()]
  const byMime = kinds.find((kind) => kind.type === named || kind.mime.toLowerCase() === mime.trim())
  if (byMime !== undefined && byMime.type !== 'txt') return byMime
  return kindOf(sniff(bytes) ?? byMime?.type ?? '')
}

const marks: readonly (readonly [inside: string, type: string])[] = [
  ['word/document', 'docx'],
  ['xl/workbook', 'xlsx'],
  ['ppt/presentation', 'pptx'],
  [`${odf}.text`, 'odt'],
  [`${odf}.spreadsheet`, 'ods'],
  [`${odf}.presentation`, 'odp'],
  [`${odf}.graphics`, 'odg'],
]

/** The names of entries are readable text at the start or the end of a package. */
function sniff(bytes: Uint8Array): string | undefined {
  const latin = new TextDecoder('latin1')
  const head = latin.decode(bytes.subarray(0, 4096))
  if (head.startsWith('PK')) {
    const all = head + latin.decode(bytes.subarray(-65_536))
    return marks.find(([inside]) => all.includes(inside))?.[1]
  }
  if (head.startsWith('%PDF')) return 'pdf'
  if (head.startsWith('{\\rtf')) return 'rtf'
  if (/^\s*(?:<!doctype html|<html)/i.test(head)) return 'html'
  if (/^\s*(?:<\?xml[^>]*>\s*)?<svg/i.test(head)) return 'svg'
  if (/^\s*<\?xml/i.test(head)) return 'xml'
  return undefined
}

/** Removes the extension from a file name. */
export function withoutExtension(name: string): string {
  return name.replace(/\.\w{1,8}$/, '')
}
