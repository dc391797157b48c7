/** OpenDocument presentation (ODF 1.3). */
import { sniffFlatOdf, sniffOdf } from '../../../shared/office/odf-sniff.ts'
import { plainDocument } from '../../../shared/office/plain-documents.ts'
import { defineFormat, type TemplateSupport } from '../../../shared/plugin/contract.ts'

const mime = ['application/vnd.oasis.opendocument.presentation'] as const
const templateMime = 'application/vnd.oasis.opendocument.presentation-template'

const template: TemplateSupport = {
  open: async (bytes, context) => (await import('./open.ts')).openOdp(bytes, context),
}

export default defineFormat({
  kind: 'format',
  id: 'odp',
  family: 'presentation',
  extensions: ['odp'],
  mime,
  sniff: (source) => sniffOdf(source, mime),
  deckReader: { read: async (bytes, context) => (await import('./slides/open.ts')).readOdp(bytes, context) },
  flow: { read: async (bytes, context) => (await import('./reader/open.ts')).odpReader.read(bytes, context) },
  plainCopy: (bytes, context) => plainDocument(bytes, context, 'odp'),
  template,
})

/** The same format as a single XML file. */
export const flat = defineFormat({
  kind: 'format',
  id: 'fodp',
  family: 'presentation',
  extensions: ['fodp'],
  mime: ['application/vnd.oasis.opendocument.presentation-flat-xml'],
  sniff: sniffFlatOdf('presentation'),
  deckReader: { read: async (bytes) => (await import('./slides/open.ts')).readFodp(bytes) },
  template,
})

/** A presentation template, which is drawn like a presentation. */
export const presentationTemplate = defineFormat({
  kind: 'format',
  id: 'otp',
  family: 'presentation',
  extensions: ['otp'],
  mime: [templateMime],
  sniff: (source) => sniffOdf(source, [templateMime]),
  deckReader: { read: async (bytes, context) => (await import('./slides/open.ts')).readOdp(bytes, context) },
})
