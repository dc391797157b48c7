import { wordColors } from '../../../../shared/office/opc/colors.ts'
import { openOpc } from '../../../../shared/office/opc/open.ts'
import { wordPictures } from '../../../../shared/office/opc/pictures.ts'
import type { OpenContext } from '../../../../shared/plugin/contract.ts'
import type { TemplatePackage } from '../../../../shared/template/package.ts'
import { wordContent } from './html.ts'
import { repeatNotes } from './notes.ts'
import { showPageColor } from './page-color.ts'
import { docxRules } from './rules.ts'

export async function openDocx(bytes: Uint8Array, context: OpenContext): Promise<TemplatePackage> {
  return openOpc(bytes, context, {
    format: 'docx',
    rules: docxRules,
    main: 'word/document.xml',
    isPart: (name) => /\.(xml|rels)$/.test(name),
    mediaFolder: 'word/media',
    pictures: wordPictures,
    colors: wordColors,
    adjust: showPageColor,
    content: wordContent,
    repeat: repeatNotes,
  })
}
