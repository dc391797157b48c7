import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { odtReader } from '../../../../../plugins/formats/odt/reader/open.ts'
import { defaultLimits } from '../../../../../shared/limits.ts'
import { type OpenSample, openFile, par, parStyle } from '../../../../cases/reference/open.ts'
import { lay } from '../../../../helpers/laid-out.ts'

/** How many lines each page holds; `defaults` stands in place of the two lines that the samples keep together. */
async function linesOfPages(
  sample: OpenSample,
  defaults = 'fo:orphans="2" fo:widows="2"',
): Promise<number[]> {
  const zip = await JSZip.loadAsync(await openFile(sample))
  const styles = await zip.file('styles.xml')!.async('string')
  zip.file('styles.xml', styles.replace('fo:orphans="2" fo:widows="2"', defaults))
  const bytes = await zip.generateAsync({ type: 'uint8array' })
  const { lines, pages } = lay(odtReader.read(bytes, { codec: nodeCodec, limits: defaultLimits }).value)
  return pages.map((_, index) => lines.filter(({ page }) => page === index + 1).length)
}

const lines = (count: number): string => Array.from({ length: count }, (_, i) => par(`l${i}`)).join('')
/** Four lines of the samples' text. */
const four = 'a<text:line-break/>b<text:line-break/>c<text:line-break/>d'

describe('widows and orphans', () => {
  // The page of the samples holds 60 lines.
  const body = lines(59) + par(four)
  test('two of each where the document sets it', async () =>
    expect(await linesOfPages({ body })).toEqual([59, 4]))
  test('none by default: one line stays', async () =>
    expect(await linesOfPages({ body }, '')).toEqual([60, 3]))
  test('one of both is enough', async () => {
    expect(await linesOfPages({ body }, 'fo:orphans="2"')).toEqual([59, 4])
    expect(await linesOfPages({ body: lines(57) + par(four) }, 'fo:widows="2"')).toEqual([59, 2])
  })
})

describe('breaks of a style', () => {
  const outline = parStyle('Broken', 'fo:break-before="page"') + parStyle('After', 'fo:break-after="page"')
  const basedOn = (name: string, parent: string, said = ''): string =>
    `<style:style style:name="${name}" style:family="paragraph" style:parent-style-name="${parent}"><style:paragraph-properties ${said}/></style:style>`
  const automatic =
    basedOn('Like', 'Broken') +
    basedOn('Plain', 'Broken', 'fo:break-before="auto"') +
    basedOn('NotAfter', 'After', 'fo:break-after="auto"')
  for (const [name, style, expected] of [
    ['before', 'Broken', [1, 2]],
    ['before, of the style it is based on', 'Like', [1, 2]],
    ['before, undone', 'Plain', [3]],
    ['after', 'After', [2, 1]],
    ['after, undone', 'NotAfter', [3]],
  ] as const)
    test(name, async () =>
      expect(await linesOfPages({ outline, automatic, body: par('a') + par('b', style) + par('c') })).toEqual(
        expected,
      ),
    )
})
