/**
 * Old picture formats that are simple enough to be written here: a BMP from another engine comes in, one file goes
 * out. `bitmap.ts` reads it; each format is a file of its own.
 */
import { AppError } from '../../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import { type Conversion, defineEngine, type FormatId } from '../../../shared/plugin/contract.ts'
import {
  type IgnoredOptions,
  ignoredOptions,
  ignoredWarnings,
} from '../../../shared/plugin/ignored-options.ts'
import { type Bitmap, readBitmap } from './bitmap.ts'
import { writePbm, writePgm, writePpm } from './netpbm.ts'
import { writePict } from './pict.ts'
import { writeSunRaster } from './sun-raster.ts'
import { writeSwf } from './swf.ts'

const title = 'Pictures'

const writers: Readonly<Record<FormatId, (bitmap: Bitmap) => Uint8Array>> = {
  pbm: writePbm,
  pgm: writePgm,
  ppm: writePpm,
  ras: writeSunRaster,
  pct: writePict,
  swf: writeSwf,
}

const conversions: readonly Conversion[] = Object.keys(writers).map((to) => ({
  from: 'bmp',
  to,
  fidelity: 'high',
  cost: 10,
}))

export default defineEngine<object, IgnoredOptions>({
  kind: 'engine',
  contract: 1,
  id: 'raster',
  title,
  sides: ['edge', 'origin'],
  conversions,
  settings: { json: { type: 'object' }, parse: () => ({ ok: true, value: {} }) },
  options: ignoredOptions,
  create: () => ({
    async convert({ source, from, to, options }, signal) {
      const write = from === 'bmp' ? writers[to] : undefined
      if (write === undefined) throw new AppError('convert.pair', { engine: title, from, to })
      const bytes = await bytesOf(source)
      signal.throwIfAborted()
      return { value: fromBytes(write(readBitmap(bytes))), warnings: ignoredWarnings(options, to) }
    },
  }),
})
