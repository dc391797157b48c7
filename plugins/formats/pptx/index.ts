/** PowerPoint presentations (Office Open XML, ECMA-376). Each slide, layout, master and notes page is a part. */
import { plainDocument } from '../../../shared/office/plain-documents.ts'
import { hasZipEntry } from '../../../shared/office/sniff.ts'
import { defineFormat } from '../../../shared/plugin/contract.ts'

export default defineFormat({
  kind: 'format',
  id: 'pptx',
  family: 'presentation',
  extensions: ['pptx', 'pptm', 'potx', 'ppsx', 'ppsm'],
  mime: [
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    'application/vnd.openxmlformats-officedocument.presentationml.template',
    'application/vnd.openxmlformats-officedocument.presentationml.slideshow',
    'application/vnd.ms-powerpoint.presentation.macroEnabled.12',
    'application/vnd.ms-powerpoint.slideshow.macroEnabled.12',
  ],
  sniff: async (source) =>
    (await hasZipEntry(source, (name) => /^ppt\/\w+\.xml$/.test(name))) ? 'sure' : 'no',
  deckReader: {
    read: async (bytes, context) => (await import('./slides/open.ts')).readPptx(bytes, context),
  },
  flow: {
    read: async (bytes, context) => (await import('./reader/open.ts')).pptxReader.read(bytes, context),
  },
  plainCopy: (bytes, context) => plainDocument(bytes, context, 'pptx'),
  template: { open: async (bytes, context) => (await import('./template/open.ts')).openPptx(bytes, context) },
})
