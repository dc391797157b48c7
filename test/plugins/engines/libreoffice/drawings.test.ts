/** Presentations as drawings, and presentations and drawings that are opened once more by a refresh. */
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notOfKind } from '../../../helpers/content-kind.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { createOffice, type Office } from './office.ts'
import { flat, flatDrawing, flatSlides } from './samples.ts'

let office: Office
const folder = temporaryFolder('drawings-test')
beforeAll(async () => {
  office = createOffice()
  await office.engine.start?.()
})
afterAll(async () => {
  await office.engine.stop?.()
  rmSync(folder, { recursive: true, force: true })
})

const place = 'svg:x="1cm" svg:y="1cm" svg:width="6cm" svg:height="2cm"'
const below = place.replace('y="1cm"', 'y="12cm"')
const box = (text: string, kind: string, more = '', at = place) =>
  `<draw:frame presentation:style-name="pr" ${at} presentation:class="${kind}" ${more}><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`
/** A slide whose master has a placeholder and all fields; the slide says which of them it shows. */
const presentation = (shown: boolean) =>
  flat(
    'presentation',
    'presentation',
    `<presentation:footer-decl presentation:name="f">Spring catalogue</presentation:footer-decl>
     <draw:page draw:name="One" draw:style-name="dp" draw:master-page-name="M" presentation:use-footer-name="f">${box('Seen title', 'title')}</draw:page>`,
    `<office:styles><style:style style:name="M-title" style:family="presentation"/></office:styles>
     <office:automatic-styles>
     <style:page-layout style:name="P"><style:page-layout-properties fo:page-width="28cm" fo:page-height="21cm"/></style:page-layout>
     <style:style style:name="pr" style:family="presentation" style:parent-style-name="M-title"/>
     <style:style style:name="dp" style:family="drawing-page"><style:drawing-page-properties presentation:display-footer="${shown}" presentation:display-page-number="${shown}" presentation:display-date-time="false"/></style:style>
     </office:automatic-styles>
     <office:master-styles><style:master-page style:name="M" style:page-layout-name="P">
     ${box('Edit this', 'title', 'presentation:placeholder="true"')}${box('<presentation:footer/>', 'footer')}${box('Page <text:page-number/>', 'page-number', '', below)}${box('<presentation:date-time/>', 'date-time')}
     </style:master-page></office:master-styles>`,
  )
async function seen(file: Uint8Array, from: string): Promise<string> {
  const path = join(folder, 'seen.pdf')
  writeFileSync(path, (await office.convert(file, from, 'pdf')).bytes)
  return execFileSync('pdftotext', [path, '-']).toString()
}

describe('a drawing made of a presentation', () => {
  it.each([true, false])('shows of its master what the slide shows: %s', async (shown) => {
    const { bytes } = await office.convert(presentation(shown), 'fodp', 'odg')
    expect(await notOfKind('odg', bytes)).toBeUndefined()
    const text = await seen(bytes, 'odg')
    expect(text).toContain('Seen title')
    expect(text).not.toMatch(/Edit this|Click to/)
    expect(text.includes('Spring catalogue')).toBe(shown)
    expect(/Page 1/.test(text)).toBe(shown)
  })
})

describe('a vector picture', () => {
  const svgOf = async (shown: boolean, fill: string) => {
    const look = `<style:style style:name="mp" style:family="drawing-page"><style:drawing-page-properties ${fill}/></style:style></office:automatic-styles>`
    const source = presentation(shown)
      .replace('</office:automatic-styles>', look)
      .replace('<style:master-page ', '<style:master-page draw:style-name="mp" ')
    const { bytes } = await office.convert(source, 'fodp', 'svg')
    return new TextDecoder().decode(bytes)
  }
  it('has the background and the shapes of the master', async () => {
    const svg = await svgOf(true, 'draw:fill="solid" draw:fill-color="#123456"')
    expect(svg).toContain('rgb(18,52,86)')
    expect(svg.replace(/<[^>]*>/g, '')).toMatch(/Spring catalogue[\s\S]*Seen title/)
    expect(svg.replace(/<[^>]*>/g, '')).toMatch(/Page 1/)
    expect(svg).not.toMatch(/Edit this|Click to/)
  })
  it('has nothing of it that the slide hides', async () => {
    const svg = await svgOf(false, 'draw:fill="none"')
    expect(svg).toContain('Seen title')
    expect(svg).not.toMatch(/Spring catalogue|Page 1|Edit this/)
  })
})

describe('a refresh', () => {
  it.each([
    ['odp', 'odp'],
    ['odp', 'pptx'],
    ['pptx', 'pptx'],
    ['pptx', 'odp'],
    ['ppt', 'ppt'],
    ['pptx', 'odg'],
    ['odg', 'odg'],
  ])('%s to %s keeps what is shown', async (from, to) => {
    const source = from === 'odg' ? flatDrawing : flatSlides
    const flatOf = from === 'odg' ? 'fodg' : 'fodp'
    const { bytes } = await office.convert(source, flatOf, from)
    const fresh = (await office.convert(bytes, from, to, { options: { hardRefresh: true } })).bytes
    expect(await notOfKind(to, fresh)).toBeUndefined()
    expect(await seen(fresh, to)).toBe(await seen(bytes, from))
  })
})
