import { AppError } from '../../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import type { Engine } from '../../../shared/plugin/contract.ts'
import { type IgnoredOptions, ignoredWarnings } from '../../../shared/plugin/ignored-options.ts'
import { type Bitmap, readBitmap } from './bitmap.ts'
import { outputs, title } from './conversions.ts'
import { writePbm, writePgm, writePpm } from './netpbm.ts'
import { writePict } from './pict.ts'
import { writeSunRaster } from './sun-raster.ts'
import { writeSwf } from './swf.ts'

const writers: Readonly<Record<(typeof outputs)[number], (bitmap: Bitmap) => Uint8Array>> = {
  pbm: writePbm,
  pgm: writePgm,
  ppm: writePpm,
  ras: writeSunRaster,
  pct: writePict,
  swf: writeSwf,
}

export function createEngine(): Engine<IgnoredOptions> {
  return {
    async convert({ source, from, to, options }, signal) {
      const output = outputs.find((name) => name === to)
      if (from !== 'bmp' || output === undefined)
        throw new AppError('convert.pair', { engine: title, from, to })
      const bytes = await bytesOf(source)
      signal.throwIfAborted()
      return {
        value: fromBytes(writers[output](readBitmap(bytes))),
        warnings: ignoredWarnings(options, to),
      }
    },
  }
}
