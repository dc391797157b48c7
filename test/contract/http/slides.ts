import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { PDFDict, PDFDocument, PDFName } from 'pdf-lib'
import { expect, it } from 'vitest'
import { pptxOf, pptxParagraph, pptxShape, pptxTable } from '../../helpers/pptx.ts'
import { useTemporary } from '../../helpers/temporary.ts'
import { base64, type Client } from './client.ts'

/** Presentations to PDF by the engine that both hosts have. */
export function slideCases(client: () => Client): void {
  const place = useTemporary()
  const ask = async (slides: readonly string[], body: object = {}) => {
    const answer = await fetch(`${client().url}/render/template?download=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        converter: 'I',
        convertTo: 'pdf',
        template: base64(await pptxOf(slides)),
        data: {},
        ...body,
      }),
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const header = (name: string) => answer.headers.get(`service-${name}`)
    return { status: answer.status, bytes, engine: header('converter'), warnings: header('warning') }
  }
  const textOf = (bytes: Uint8Array): string[] => {
    const path = place()
    writeFileSync(path, bytes)
    return execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' })
      .split('\f')
      .map((page) => page.trim().replaceAll(/\s+/g, ' '))
      .filter((page) => page !== '')
  }

  it('a deck is filled and drawn, a page for each slide', async () => {
    const slides = [
      pptxShape(2, pptxParagraph('Sales of {d.year}')),
      pptxTable(2, ['City', 'Sum'], ['{d.l[i].c}', '{d.l[i].s}'], ['{d.l[i+1].c}', '']),
    ]
    const data = {
      year: 2026,
      l: [
        { c: 'Bern', s: 5 },
        { c: 'Genève', s: 7 },
      ],
    }
    const { status, bytes, engine, warnings } = await ask(slides, { data })
    expect([status, engine, warnings]).toEqual([200, 'I', null])
    expect(textOf(bytes)).toEqual(['Sales of 2026', 'City Sum Bern 5 Genève 7'])
  })

  it('slides are in the outline, and pages are chosen from them', async () => {
    const slides = [pptxShape(2, pptxParagraph('One')), pptxShape(2, pptxParagraph('Two'))]
    const { bytes } = await ask(slides)
    const { catalog } = await PDFDocument.load(bytes)
    expect(catalog.lookup(PDFName.of('Outlines'), PDFDict).get(PDFName.of('Count'))?.toString()).toBe('2')
    const chosen = await ask(slides, {
      convertTo: { formatName: 'pdf', formatOptions: { PageRange: '2' } },
    })
    expect(textOf(chosen.bytes)).toEqual(['Two'])
  })
}
