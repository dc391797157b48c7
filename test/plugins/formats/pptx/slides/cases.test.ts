import { caseFolders, outline } from '../../../../helpers/case-folders.ts'
import { readSlides } from '../../../../helpers/deck-layout.ts'
import { pptxOf } from '../../../../helpers/pptx.ts'

/**
 * `slide.xml`, the shapes of a slide, and of its layout in `layout.xml`; expected: the slide in the model of decks, its
 * numbering and warnings.
 */
caseFolders('pptx-slides', async ({ text }) => {
  const file = await pptxOf([text('slide.xml') ?? ''], { layout: text('layout.xml') ?? '' })
  const { value, warnings } = readSlides(file)
  const { slides, numbering } = value
  return { 'expected.txt': outline({ slides, numbering, warnings }) }
})
