/** Word documents (Office Open XML, ECMA-376). */
import { plainDocument } from '../../../shared/office/plain-documents.ts'
import { hasZipEntry } from '../../../shared/office/sniff.ts'
import { defineFormat } from '../../../shared/plugin/contract.ts'

export default defineFormat({
  kind: 'format',
  id: 'docx',
  family: 'document',
  extensions: ['docx', 'docm', 'dotx', 'dotm'],
  mime: [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.template',
    'application/vnd.ms-word.document.macroEnabled.12',
    'application/vnd.ms-word.template.macroEnabled.12',
  ],
  sniff: async (source) => ((await hasZipEntry(source, (name) => name.startsWith('word/'))) ? 'sure' : 'no'),
  reader: {
    read: async (bytes, context) => (await import('./reader/open.ts')).docxReader.read(bytes, context),
  },
  plainCopy: (bytes, context) => plainDocument(bytes, context, 'docx'),
  template: { open: async (bytes, context) => (await import('./template/open.ts')).openDocx(bytes, context) },
})
