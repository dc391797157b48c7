import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { machineHyphenation } from '../../../../origin/hyphenation.ts'
import { createHyphenationCache, shippedLanguages } from '../../../../plugins/engines/instant/hyphenation.ts'
import instant from '../../../../plugins/engines/instant/index.ts'
import { createHyphenator } from '../../../../plugins/engines/instant/text/hyphenate.ts'
import { readHyphenationFile } from '../../../../plugins/engines/instant/text/hyphenation-file.ts'
import docx from '../../../../plugins/formats/docx/index.ts'
import odt from '../../../../plugins/formats/odt/index.ts'
import { openFile, par as openPar } from '../../../cases/reference/open.ts'
import { par, wordFile } from '../../../cases/reference/word.ts'
import { engineUnder } from '../../../helpers/engines.ts'
import { testHost } from '../../../helpers/host.ts'
import { pdfText, shippedSource } from '../../../helpers/instant-fonts.ts'
import { readWord } from '../../../helpers/laid-out.ts'

/** No dictionaries of the machine: the shipped patterns alone. */
const files = machineHyphenation('/nonexistent', [])
const { convert } = engineUnder(instant, {
  ...testHost([docx, odt]),
  codec: nodeCodec,
  fonts: () => shippedSource,
  asset: files,
})

async function divided(language: string, word: string): Promise<string> {
  const settings = '<w:autoHyphenation/>'
  const document = readWord({ body: par('x', '', `<w:lang w:val="${language}"/>`), settings })
  const hyphenators = await createHyphenationCache(files, nodeCodec).forDocument(document)
  const places = hyphenators?.(language)?.divide(word) ?? []
  return [...word].map((letter, at) => (places.includes(at) ? `-${letter}` : letter)).join('')
}

describe('the patterns that ship', () => {
  test.each([
    ['en-US', 'in-ter-na-tion-al-iza-tion'],
    ['en-US', 'as-so-ciate'],
    ['en-US', 'project'],
    ['en-GB', 'in-ter-na-tion-al-isa-tion'],
    ['de-CH', 'Do-nau-dampf-schiff-fahrts-ge-sell-schaft'],
    ['fr-FR', 'dé-ve-lop-pe-ment'],
    ['es-MX', 'de-sa-rro-llo'],
    ['it-IT', 'svi-lup-po'],
    ['pt-BR', 'res-pon-sa-bi-li-da-des'],
    ['nl-NL', 'ont-wik-ke-lings-sa-men-wer-king'],
    ['pl-PL', 'mię-dzy-na-ro-do-wy'],
    ['cs-CZ', 'od-po-věd-nost'],
    ['sv-SE', 'ut-veck-ling'],
    ['da-DK', 'ud-vik-ling'],
    ['nb-NO', 'ut-vik-ling'],
    ['nn-NO', 'ut-vik-ling'],
    ['tlh', 'Qapla'],
  ])('%s: %s', async (language, word) => {
    expect(await divided(language, word.replaceAll('-', ''))).toBe(word)
  })
  test('are there for every language of the list', async () => {
    for (const name of Object.keys(shippedLanguages))
      expect(await files(`hyphenation/${name}.bin`)).toBeDefined()
  })
  test('are not looked for when the document does not ask', async () => {
    const asked: string[] = []
    const cache = createHyphenationCache(async (name) => void asked.push(name) as undefined, nodeCodec)
    expect(await cache.forDocument(readWord({ body: par('x') }))).toBeUndefined()
    expect(asked).toEqual([])
  })
})

describe('a dictionary', () => {
  const read = (lines: readonly string[]) =>
    createHyphenator(readHyphenationFile(new TextEncoder().encode(lines.join('\n'))))
  test('keeps its minima', () => {
    const { divide } = read(['UTF-8', 'LEFTHYPHENMIN 3', 'RIGHTHYPHENMIN 2', '% a note', 'a1'])
    expect(divide('bababab')).toEqual([4])
  })
  test('divides compounds first, then their parts', () => {
    // '.ha1' counts from the seam of the compound, not from the start of the word.
    const { divide } = read(['UTF-8', 't1h', 'NEXTLEVEL', '.ha1'])
    expect(divide('guthabe')).toEqual([3, 5])
    expect(divide('guhabe')).toEqual([])
  })
  test('of another character set, and one of none', () => {
    const latin = Uint8Array.from([...'ISO8859-1\n\u00e41'].map((letter) => letter.charCodeAt(0)))
    expect(createHyphenator(readHyphenationFile(latin)).divide('b\u00e4b\u00e4b\u00e4b')).toEqual([2, 4])
    expect(read(['no such set', 'a1']).divide('bababa')).toEqual([2, 4])
    expect(createHyphenator(readHyphenationFile(new Uint8Array())).divide('bababa')).toEqual([])
  })
})

const long = 'Internationalization responsibilities characteristically incomprehensibilities. '.repeat(3)
const narrow = '<w:ind w:right="5000"/>'
const lines = async (bytes: Uint8Array, from: string): Promise<string[]> =>
  pdfText((await convert(bytes, from, 'pdf')).bytes).split('\n')
const hyphened = (found: readonly string[]): boolean[] => found.map((line) => line.endsWith('-'))

describe('a Word document', () => {
  const of = (settings: string, properties = '', text = long) =>
    wordFile({ body: par(text, narrow + properties), settings })
  test('divides words at line ends when the document asks for it', async () => {
    expect(await lines(await of('<w:autoHyphenation/>'), 'docx')).toEqual([
      'Internationalization responsibilities character-',
      'istically incomprehensibilities. International-',
      'ization responsibilities characteristically in-',
      'comprehensibilities. Internationalization re-',
      'sponsibilities characteristically incomprehen-',
      'sibilities.',
    ])
  })
  test('leaves them whole when it does not, or the paragraph does not want it', async () => {
    expect(hyphened(await lines(await of(''), 'docx'))).not.toContain(true)
    const suppressed = await of('<w:autoHyphenation/>', '<w:suppressAutoHyphens/>')
    expect(hyphened(await lines(suppressed, 'docx'))).not.toContain(true)
  })
  test('limits hyphenated lines in a row and skips capitals when set', async () => {
    const limited = hyphened(
      await lines(await of('<w:autoHyphenation/><w:consecutiveHyphenLimit w:val="1"/>'), 'docx'),
    )
    expect(limited).toContain(true)
    expect(limited.some((one, at) => one && limited[at + 1] === true)).toBe(false)
    const capitals = await of('<w:autoHyphenation/><w:doNotHyphenateCaps/>', '', long.toUpperCase())
    expect(hyphened(await lines(capitals, 'docx'))).not.toContain(true)
  })
  test('divides a word whose style changes in the middle', async () => {
    const body = `<w:p><w:pPr>${narrow}</w:pPr><w:r><w:t xml:space="preserve">Internationalization responsibilities charac</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>teristically</w:t></w:r></w:p>`
    const found = await lines(await wordFile({ body, settings: '<w:autoHyphenation/>' }), 'docx')
    expect(found.join('|')).toMatch(/charac-?ter-?\|?/)
    expect(hyphened(found)[0]).toBe(true)
  })
})

describe('an ODF text', () => {
  const of = (paragraph: string, text: string) =>
    openFile({
      body: openPar(long, 'H'),
      automatic: `<style:style style:name="H" style:family="paragraph" style:parent-style-name="Standard"><style:paragraph-properties fo:margin-right="9cm" ${paragraph}/><style:text-properties ${text}/></style:style>`,
    })
  test('divides in the paragraphs that ask', async () => {
    expect(hyphened(await lines(await of('', 'fo:hyphenate="true"'), 'odt'))).toContain(true)
    expect(hyphened(await lines(await of('', 'fo:hyphenate="false"'), 'odt'))).not.toContain(true)
  })
  test('keeps letters together at both ends', async () => {
    const kept = 'fo:hyphenate="true" fo:hyphenation-remain-char-count="9" fo:hyphenation-push-char-count="9"'
    for (const line of await lines(await of('', kept), 'odt'))
      expect(/(\w+)-$/.exec(line)?.[1]?.length ?? 9).toBeGreaterThanOrEqual(9)
  })
})
