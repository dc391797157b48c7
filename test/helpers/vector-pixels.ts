import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fitVector, type VectorPicture } from '../../plugins/engines/instant/vector/vector.ts'
import { pageOf, paint } from './instant-fonts.ts'
import { runProgram } from './run-program.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The page at 96 dpi, as poppler draws it. */
export function pixels(picture: VectorPicture): {
  width: number
  height: number
  at(x: number, y: number): number
} {
  const { width, height } = picture
  const folder = temporaryFolder('platen-vector')
  try {
    const file = join(folder, 'page.pdf')
    writeFileSync(file, paint([pageOf([fitVector(picture, width, height)], width, height)]))
    const ppm = runProgram('pdftoppm', ['-r', '96', file])
    const [head = '', w = 0, h = 0] = /^P6\n(\d+) (\d+)\n255\n/.exec(ppm.toString('latin1', 0, 40)) ?? []
    const across = Number(w)
    return {
      width: across,
      height: Number(h),
      at: (x, y) => ppm.readUIntBE(head.length + 3 * (Math.round(y) * across + Math.round(x)), 3),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
