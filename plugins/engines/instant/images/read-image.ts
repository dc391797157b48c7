import type { ImageRef } from './image.ts'

/** placeholder */
export function readImage(_bytes: Uint8Array): ImageRef | undefined {
  return undefined
}
