import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeCodec } from '../../origin/codec.ts'
import { loadHarfBuzz } from '../../origin/fonts/harfbuzz.ts'
import { shippedFonts } from '../../origin/fonts/index.ts'
import type { Face } from '../../plugins/engines/instant/fonts/face.ts'
import { createFontBook } from '../../plugins/engines/instant/fonts/font-book.ts'
import type { FontSource } from '../../plugins/engines/instant/fonts/font-source.ts'
import { describeBytes } from '../../plugins/engines/instant/fonts/sfnt/describe.ts'
import { type FontFile, readFont } from '../../plugins/engines/instant/fonts/sfnt/font-file.ts'
import type { Frame, Page, Placed } from '../../plugins/engines/instant/layout/frame.ts'
import { type PdfSettings, paintPdf } from '../../plugins/engines/instant/paint/pdf/paint-pdf.ts'
import { type ShapingStyle, shape } from '../../plugins/engines/instant/text/shape.ts'
import { runProgram } from './run-program.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The fonts that ship with the engine: the same on every machine, so that numbers in tests hold. */
export const shippedSource = shippedFonts()
export const shippedBook = createFontBook(shippedSource)

export function shippedFace(family: string, bold = false, italic = false): Face {
  return shippedBook.forDocument().face(family, bold, italic)
}

export function shippedBytes(file: string): Uint8Array {
  const entry = shippedSource.entries.find(({ key }) => key === file)!
  return shippedSource.read(entry)!
}

export function shippedFont(file: string): FontFile {
  return readFont(shippedBytes(file))
}

/** One of the fonts of `test/fixtures/fonts`, each of which has the few glyphs a test needs. */
export function fontFixture(name: string): FontSource {
  const bytes = Uint8Array.from(readFileSync(`test/fixtures/fonts/${name}`))
  return { entries: describeBytes(name, bytes), read: () => bytes, complex: loadHarfBuzz }
}

/** A line of text as layout would place it. */
export function textAt(
  x: number,
  y: number,
  text: string,
  style: Partial<ShapingStyle> & { colour?: number } = {},
): Placed {
  const { colour = 0, ...rest } = style
  const run = shape(text, { face: shippedFace('Liberation Sans'), size: 12, ...rest })
  return { x, y, item: { kind: 'glyphs', run, colour } }
}

export function pageOf(items: readonly Placed[], width = 400, height = 300): Page {
  const frame: Frame = { width, height, items }
  return { frame }
}

export function paint(pages: readonly Page[], settings: Partial<PdfSettings> = {}): Uint8Array {
  return paintPdf(pages, { codec: nodeCodec, ...settings })
}

/** Runs a program on bytes and gives what it prints; `{}` in the arguments is the file. */
export function inspect(
  bytes: Uint8Array,
  program: string,
  args: readonly string[],
  name = 'file.pdf',
): string {
  return inFolder((folder) => {
    const path = join(folder, name)
    writeFileSync(path, bytes)
    return runProgram(
      program,
      args.map((part) => part.replace('{}', path)),
    ).toString()
  })
}

/** The first page as grey values, rows from the top. */
export function rasterise(pdf: Uint8Array, dpi = 72): { width: number; height: number; grey: Uint8Array } {
  return inFolder((folder) => {
    const path = join(folder, 'file.pdf')
    writeFileSync(path, pdf)
    runProgram('pdftoppm', ['-r', String(dpi), '-gray', '-singlefile', path, join(folder, 'page')])
    const pgm = readFileSync(join(folder, 'page.pgm'))
    const [, width = '0', height = '0'] = /^P5\s+(\d+)\s+(\d+)\s+\d+\s/.exec(
      pgm.subarray(0, 40).toString('latin1'),
    )!
    return {
      width: Number(width),
      height: Number(height),
      grey: pgm.subarray(pgm.length - Number(width) * Number(height)),
    }
  })
}

/** The first page as a PNG in colour. */
export function rasterisePng(pdf: Uint8Array, dpi = 72): Buffer {
  return inFolder((folder) => {
    const path = join(folder, 'file.pdf')
    writeFileSync(path, pdf)
    runProgram('pdftoppm', ['-r', String(dpi), '-png', '-singlefile', path, join(folder, 'page')])
    return readFileSync(join(folder, 'page.png'))
  })
}

function inFolder<T>(work: (folder: string) => T): T {
  const folder = temporaryFolder('instant')
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function pdfText(pdf: Uint8Array): string {
  return inspect(pdf, 'pdftotext', ['-raw', '{}', '-']).replaceAll('\f', '').trim()
}
