/** Word documents (Office Open XML, ECMA-376). */
import { wordColors } from '../../../shared/office/opc/colors.ts'
import { openOpc } from '../../../shared/office/opc/open.ts'
import { wordPictures } from '../../../shared/office/opc/pictures.ts'
import { plainDocument } from '../../../shared/office/plain-documents.ts'
import { hasZipEntry } from '../../../shared/office/sniff.ts'
import { defineFormat } from '../../../shared/plugin/contract.ts'
import { docxReader } from './reader/open.ts'
import { wordContent } from './template/html.ts'
import { repeatNotes } from './template/notes.ts'
import { showPageColor } from './template/page-color.ts'
import { docxRules } from './template/rules.ts'

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
  reader: docxReader,
  plainCopy: (bytes, context) => plainDocument(bytes, context, 'docx'),
  template: {
    open: async (bytes, context) =>
      openOpc(bytes, context, {
        format: 'docx',
        rules: docxRules,
        isPart: (name) => /\.(xml|rels)$/.test(name),
        mediaFolder: 'word/media',
        pictures: wordPictures,
        colors: wordColors,
        adjust: showPageColor,
        content: wordContent,
        repeat: repeatNotes,
      }),
  },
})
