import { slideColors } from '../../../../shared/office/opc/colors.ts'
import { openOpc } from '../../../../shared/office/opc/open.ts'
import { slidePictures } from '../../../../shared/office/opc/pictures.ts'
import type { OpenContext } from '../../../../shared/plugin/contract.ts'
import type { TemplatePackage } from '../../../../shared/template/package.ts'
import { slideContent } from './html.ts'
import { pptxRules } from './rules.ts'
import { repeatSlides } from './slides.ts'

export async function openPptx(bytes: Uint8Array, context: OpenContext): Promise<TemplatePackage> {
  return openOpc(bytes, context, {
    format: 'pptx',
    rules: pptxRules,
    main: 'ppt/presentation.xml',
    isPart: (name) => /\.(?:xml|rels)$/.test(name) && !/^ppt\/theme\/[^/]*$/.test(name),
    mediaFolder: 'ppt/media',
    pictures: slidePictures,
    content: slideContent,
    colors: slideColors,
    repeat: repeatSlides,
  })
}
