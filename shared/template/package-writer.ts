import type { ByteSource } from '../plugin/values.ts'
import { scopeKey } from './scope.ts'
import type { StaticTable } from './statics.ts'

/** Writes one output package. Parts are written one at a time; each is compressed as it grows. */
export interface PackageWriter {
  /** Replaces or adds a part. `statics` are the static segments that its writer may refer to. */
  part(name: string, statics: StaticTable): PartWriter
  add(name: string, bytes: Uint8Array): void // a new entry (picture, relationship part)
  remove(name: string): void
  /** Stores an entry of the template once more. */
  copy(from: string, to: string): void
  finish(): ByteSource
  /** Stops writing and frees the memory. */
  abandon(): void
}

/** Writes the output of one part, in order. */
export interface PartWriter {
  /** Writes static segment `id` of the table given to `part`. */
  static(id: number): void
  text(chunk: string): void
  readonly size: number // bytes so far, uncompressed
  end(): void
}

/** The writer of a render, for computed tokens that add parts to the package. */
export const packageWriter = scopeKey<PackageWriter>('package writer')
