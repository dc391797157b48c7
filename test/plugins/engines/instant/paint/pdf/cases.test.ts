import { inflateSync } from 'node:zlib'
import { dumpFrames } from '../../../../../../plugins/engines/instant/paint/dump/dump-frames.ts'
import { caseFolders } from '../../../../../helpers/case-folders.ts'
import { paint } from '../../../../../helpers/instant-fonts.ts'
import { layWord, type WordParts } from '../../../../../helpers/laid-out.ts'

/**
 * `body.xml`, and in `parts.json` other parts of the file; expected: its pages as frames, and the operators that paint them
 * (ISO 32000-1, Annex A).
 */
caseFolders('paint-pdf', ({ text, json }) => {
  const parts = { ...json<Partial<WordParts>>('parts.json'), body: text('body.xml') ?? '' }
  const { pages } = layWord(parts)
  return { 'frames.txt': dumpFrames(pages), 'content.txt': contentOf(paint(pages)) }
})

/** The content streams, which are those that say nothing but their length and filter. Codes of glyphs have two bytes. */
function contentOf(pdf: Uint8Array): string {
  const file = Buffer.from(pdf)
  const streams = file.toString('latin1').matchAll(/<<\/Filter\/FlateDecode\/Length \d+>>\nstream\n/g)
  const texts = [...streams].map(({ index, 0: head }) =>
    inflateSync(file.subarray(index + head.length)).toString(),
  )
  const operators = texts.filter((text) => !text.includes('begincmap')).join('\n---\n')
  return operators.replaceAll(
    /[^\n -~]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
}
