import { describe, expect, it } from 'vitest'
import { closureOf } from '../../shared/convert/closure.ts'
import { stageRules } from '../../shared/pdf/stage/option-table.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import { docxOf, paragraph } from '../helpers/docx.ts'
import { nonDefault } from '../helpers/option-values.ts'
import { useServices } from '../helpers/origin-services.ts'
import { officePdf } from '../helpers/pdf.ts'
import { flatSlides } from '../plugins/engines/libreoffice/samples.ts'

/** `GET /conversions` lists exactly the options that have an effect: a listed one is never ignored, and no other one acts. */
const services = useServices({ warm: true })
const text = (content: string) => new TextEncoder().encode(content)
const pages = [1, 2].map((at) => `<h1 style="break-before:page">Chapter ${at}</h1>`).join('')
const document = await docxOf(
  [1, 2].map((at) => `${paragraph(`Page ${at}`)}<w:p><w:r><w:br w:type="page"/></w:r></w:p>`).join(''),
)
const sources: Readonly<Record<string, () => Uint8Array>> = {
  docx: () => document,
  html: () => text(`<!doctype html><title>Page</title>${pages}`),
  fodp: () => text(flatSlides),
  csv: () => text('name,n\nQuince,1\n'),
  pdf: () => officePdf('page-orientation'),
  svg: () =>
    text('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><text y="15">A</text></svg>'),
}
const pictures = ['png', 'jpg', 'webp', 'gif', 'svg']
const cases: readonly (readonly [from: string, letter: string, outputs: readonly string[]])[] = [
  ['docx', 'L', ['pdf', 'odt', 'html', 'txt', 'md', ...pictures]],
  ['docx', 'I', ['pdf']],
  ['docx', 'O', ['pdf']],
  ['html', 'C', ['pdf', ...pictures]],
  ['html', 'L', ['pdf', 'odt', 'md']],
  ['fodp', 'L', ['pdf', ...pictures]],
  ['csv', 'L', ['csv', 'xlsx', 'pdf', 'html']],
  ['svg', 'C', ['pdf', 'png']],
  ['pdf', 'C', ['png', 'jpg', 'webp']],
]

let computed: ReturnType<typeof closureOf> | undefined
const allRows = () => (computed ??= closureOf(services().converter.conversions()))

/** A conformance excludes passwords, and an initial page must exist; tests of their own have both. */
const apart = new Set(['SelectPdfVersion', 'PDFUACompliance', 'InitialPage'])

describe.each(cases)('from %s by %s', (from, letter, outputs) => {
  it.each(outputs)('to %s', async (to) => {
    const rows = allRows()
    const stage = Object.keys(stageRules)
    const universe = new Set([...rows.flatMap(({ options = [] }) => options), ...stage])
    const asked = [...universe].filter((name) => !apart.has(name))
    const listed =
      rows.find((row) => row.from === from && row.to === to && row.letter === letter)?.options ?? []
    const expected = asked.filter((name) => listed.includes(name) || (to === 'pdf' && stage.includes(name)))
    const ignored = await ignoredOf({ from, to, letter }, asked)
    expect(asked.filter((name) => !ignored.includes(name)).sort()).toEqual(expected.sort())
  })
})

it.each([
  ['docx', 'L', true],
  ['docx', 'I', true],
  ['docx', 'O', false],
  ['html', 'C', true],
] as const)('from %s by %s: PDF/UA is listed and made, or neither: %s', async (from, letter, isMade) => {
  const row = allRows().find((one) => one.from === from && one.to === 'pdf' && one.letter === letter)
  expect(row?.options?.includes('PDFUACompliance') ?? false).toBe(isMade)
  const made = services().converter.convert({
    from,
    to: 'pdf',
    letter,
    source: fromBytes(sources[from]!()),
    options: { PDFUACompliance: true },
    deadline: Date.now() + 200_000,
    signal: AbortSignal.timeout(200_000),
  })
  if (isMade) await expect(made).resolves.toMatchObject({ format: 'pdf' })
  else await expect(made).rejects.toThrow('Invalid option PDFUACompliance')
})

/** Options that choose another route where the best one lacks them, so that nothing else may ride on it. */
const chooseRoutes = ['Resolution', 'Translucent']

it('pages are selected by the step that draws them, and the next one draws no other', async () => {
  const convert = (options: Readonly<Record<string, unknown>>) =>
    services().converter.convert({
      from: 'pdf',
      to: 'png',
      letter: 'C',
      source: fromBytes(sources['pdf']!()),
      options,
      deadline: Date.now() + 200_000,
      signal: AbortSignal.timeout(200_000),
    })
  const all = await convert({})
  const some = await convert({ PageRange: '2-3' })
  const one = await convert({ PageRange: '2' })
  expect([all.pages?.length, some.pages?.length, one.pages, one.format]).toEqual([3, 2, undefined, 'png'])
  expect(Buffer.from(await bytesOf(one.value))).toEqual(Buffer.from(await bytesOf(all.pages![1]!)))
  expect([...some.warnings, ...one.warnings]).toEqual([])
})

/** Names that the engine at hand reported as ignored. */
async function ignoredOf(
  pair: { readonly from: string; readonly to: string; readonly letter: string },
  names: readonly string[],
): Promise<readonly string[]> {
  const source = sources[pair.from]!()
  const others = names.filter((name) => !chooseRoutes.includes(name))
  const groups = [others, ...chooseRoutes.map((name) => [name])]
  const ignored: string[] = []
  for (const group of groups) {
    const { warnings } = await services().converter.convert({
      ...pair,
      source: fromBytes(source),
      options: Object.fromEntries(group.map((name) => [name, nonDefault(name)])),
      deadline: Date.now() + 200_000,
      signal: AbortSignal.timeout(200_000),
    })
    for (const { code, message } of warnings)
      if (code === 'convert.option-ignored') ignored.push(/^Option (\w+)/.exec(message)?.[1] ?? message)
  }
  return ignored
}
