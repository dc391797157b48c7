import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { greyPng } from '../helpers/png.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

export interface Grey {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** The first pages of a PDF in grey. */
export function rasterise(
  pdf: string,
  options: { readonly dpi: number; readonly last: number; readonly first?: number },
): Grey[] {
  const folder = temporaryFolder('fidelity')
  try {
    const { dpi, first = 1, last } = options
    execFileSync(
      'pdftoppm',
      ['-gray', '-r', String(dpi), '-f', String(first), '-l', String(last), pdf, join(folder, 'p')],
      { stdio: 'ignore' },
    )
    return readdirSync(folder)
      .sort()
      .map((name) => readGrey(readFileSync(join(folder, name))))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A binary PGM (P5). */
function readGrey(bytes: Uint8Array): Grey {
  const header = /^P5\s+(\d+)\s+(\d+)\s+\d+\s/.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 64)))
  if (header === null) throw new Error('not a PGM picture')
  return { width: Number(header[1]), height: Number(header[2]), pixels: bytes.subarray(header[0].length) }
}

const window = 7
const c1 = (0.01 * 255) ** 2
const c2 = (0.03 * 255) ** 2

/** Mean structural similarity of two pictures over 7 by 7 windows; other sizes are compared over the common part. */
export function similarity(a: Grey, b: Grey): number {
  if (Math.abs(a.width - b.width) > 3 || Math.abs(a.height - b.height) > 3) return 0
  const width = Math.min(a.width, b.width)
  const height = Math.min(a.height, b.height)
  let total = 0
  let count = 0
  for (let y = 0; y + window <= height; y += 2) {
    for (let x = 0; x + window <= width; x += 2) {
      total += windowSimilarity(a, b, x, y)
      count++
    }
  }
  return count === 0 ? 0 : total / count
}

function windowSimilarity(a: Grey, b: Grey, x: number, y: number): number {
  let sumA = 0
  let sumB = 0
  let squareA = 0
  let squareB = 0
  let product = 0
  for (let dy = 0; dy < window; dy++) {
    const rowA = (y + dy) * a.width + x
    const rowB = (y + dy) * b.width + x
    for (let dx = 0; dx < window; dx++) {
      const p = a.pixels[rowA + dx]!
      const q = b.pixels[rowB + dx]!
      sumA += p
      sumB += q
      squareA += p * p
      squareB += q * q
      product += p * q
    }
  }
  const n = window * window
  const meanA = sumA / n
  const meanB = sumB / n
  const varA = squareA / n - meanA * meanA
  const varB = squareB / n - meanB * meanB
  const both = product / n - meanA * meanB
  return (
    ((2 * meanA * meanB + c1) * (2 * both + c2)) / ((meanA * meanA + meanB * meanB + c1) * (varA + varB + c2))
  )
}

/** Two pictures beside each other, the reference left, as a PNG file. */
export function writeSideBySide(file: string, reference: Grey | undefined, ours: Grey | undefined): void {
  const gap = 8
  const width = (reference?.width ?? 0) + gap + (ours?.width ?? 0)
  const height = Math.max(reference?.height ?? 1, ours?.height ?? 1)
  const rows = new Uint8Array((width + 1) * height).fill(160)
  const put = (picture: Grey | undefined, left: number): void => {
    if (picture === undefined) return
    for (let y = 0; y < picture.height; y++) {
      rows.set(
        picture.pixels.subarray(y * picture.width, (y + 1) * picture.width),
        y * (width + 1) + 1 + left,
      )
    }
  }
  put(reference, 0)
  put(ours, (reference?.width ?? 0) + gap)
  for (let y = 0; y < height; y++) rows[y * (width + 1)] = 0
  writeFileSync(file, greyPng(width, height, rows))
}
