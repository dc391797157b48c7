import { readFileSync, writeFileSync } from 'node:fs'
import { nodeCodec } from '../../origin/codec.ts'
import type { PdfLimits } from '../../shared/pdf/model/limits.ts'
import { splitPdfOptions } from '../../shared/pdf/stage/options.ts'
import { applyPdfStage } from '../../shared/pdf/stage/stage.ts'
import type { Codec } from '../../shared/plugin/values.ts'
import { outputOf, runProgram } from './run-program.ts'

/** Bytes that look random and are the same for every test. */
export function repeatableRandom(): (length: number) => Uint8Array {
  let state = 0x2545f491
  return (length) =>
    Uint8Array.from({ length }, () => {
      state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
      return (state >>> 24) & 255
    })
}

export function officePdf(name: string): Uint8Array {
  return readFileSync(new URL(`../fixtures/pdf/${name}.pdf`, import.meta.url))
}

/** Runs the stage as a caller's options would. */
export async function finishPdf(
  bytes: Uint8Array,
  options: Readonly<Record<string, unknown>>,
  more: { readonly limits?: PdfLimits; readonly codec?: Codec } = {},
) {
  const { stage } = splitPdfOptions(options)
  if (stage === undefined) throw new Error('These options leave nothing to do.')
  const { signal } = new AbortController()
  return applyPdfStage(bytes, stage, { codec: nodeCodec, random: repeatableRandom(), signal, ...more })
}

/** A file from its objects, one character a byte, with a table that is right. Number 1 is the catalogue. */
export function pdfOf(
  objects: readonly string[],
  options: { readonly version?: string; readonly trailer?: string } = {},
) {
  let text = `%PDF-${options.version ?? '1.7'}\n`
  const offsets: number[] = []
  for (const [index, body] of objects.entries()) {
    offsets.push(text.length)
    text += `${index + 1} 0 obj\n${body}\nendobj\n`
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const start = text.length
  text += `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Root 1 0 R/Size ${size}${options.trailer ?? ''}>>\n`
  return latin1(`${text}startxref\n${start}\n%%EOF\n`)
}

/** The same file without the word that it is tagged, so that it is read by its layout. */
export function untagged(bytes: Uint8Array): Uint8Array {
  return latin1(textOf(bytes).replace('/Marked true', '/Marked null'))
}

export function stream(content: string, dict = ''): string {
  return `<<${dict}/Length ${content.length}>>\nstream\n${content}\nendstream`
}

export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

/** What qpdf or poppler say about a file, `@` in the arguments; both outputs joined. Fails when they do. */
export async function ask(
  place: string,
  bytes: Uint8Array,
  command: string,
  ...args: string[]
): Promise<string> {
  const file = `${place}.pdf`
  writeFileSync(file, bytes)
  const { status, stdout, stderr } = outputOf(
    command,
    args.map((one) => (one === '@' ? file : one)),
  )
  const said = `${stdout}${stderr}`
  if (status !== 0) throw new Error(`${command} failed: ${said}`)
  return said
}

/** The ranges of page labels as qpdf reads them: the index of the first page, and its label. ISO 32000-2, 12.4.2. */
export async function pageLabels(place: string, bytes: Uint8Array): Promise<readonly unknown[]> {
  const json = JSON.parse(await ask(place, bytes, 'qpdf', '--json', '--json-key=pagelabels', '@'))
  const ranges = json.pagelabels as { readonly index: number; readonly label: Record<string, unknown> }[]
  return ranges.map(({ index, label }) => {
    // qpdf also shows the type and the default start.
    const given = Object.entries(label).filter(([key, value]) => key !== '/Type' && value !== 1)
    return [index, Object.fromEntries(given.map(([key, value]) => [key.slice(1), value]))]
  })
}

export interface Ink {
  readonly width: number // of the page as shown, px
  readonly height: number
  readonly left: number
  readonly right: number
  readonly bottom: number // from the lower edge
  readonly top: number
}

/** Where the dark pixels of a page are when it is shown at 72 dpi; undefined for a page that has none. */
export function inkOf(place: string, bytes: Uint8Array, page: number): Ink | undefined {
  return inkOfPages(place, bytes, page, page)[0]
}

/** The same for pages one after the other, which one program draws. */
export function inkOfPages(
  place: string,
  bytes: Uint8Array,
  first: number,
  last: number,
): readonly (Ink | undefined)[] {
  const file = `${place}.pdf`
  writeFileSync(file, bytes)
  const args = ['-r', '72', '-gray', '-cropbox', '-f', String(first), '-l', String(last), file]
  let pictures = runProgram('pdftoppm', args)
  const inks: (Ink | undefined)[] = []
  while (pictures.length > 0) {
    const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(pictures.subarray(0, 40).toString('latin1'))!
    const [width, height] = [Number(head[1]), Number(head[2])]
    const end = head[0].length + width * height
    inks.push(darkBox(pictures.subarray(head[0].length, end), width, height))
    pictures = pictures.subarray(end)
  }
  return inks
}

/** The smallest box around the dark pixels of a grey picture of 8 bits per pixel. */
function darkBox(pixels: Uint8Array, width: number, height: number): Ink | undefined {
  let [left, right, top, bottom] = [width, -1, height, -1]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (pixels[y * width + x]! > 140) continue
      left = Math.min(left, x)
      right = Math.max(right, x + 1)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y + 1)
    }
  }
  return right < 0 ? undefined : { width, height, left, right, bottom: height - bottom, top: height - top }
}
