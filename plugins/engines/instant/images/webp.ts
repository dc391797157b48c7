import { damaged, type Raster } from './raster.ts'

export function decodeWebp(_bytes: Uint8Array): Raster {
  throw damaged('webp', 'lossy pictures cannot be decoded')
}
