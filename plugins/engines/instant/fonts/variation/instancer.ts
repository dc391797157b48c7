/**
 * Turns a variable font at one position of its axes into a plain font, with HarfBuzz's subsetter (wasm).
 * Shaping and embedding then handle plain fonts only. It also makes files of one face with some of its characters.
 */
import type { VariationCoordinates } from '../font-source.ts'

export interface Instancer {
  /** Returns undefined when the font cannot be instantiated. `index`: face of a collection. */
  instantiate(bytes: Uint8Array, index: number, coordinates: VariationCoordinates): Uint8Array | undefined
  /** A face with these characters and all of its layout rules; undefined when that fails. */
  extract(bytes: Uint8Array, index: number, characters: Iterable<number>): Uint8Array | undefined
}

/** Pointers are numbers. */
interface HarfBuzzSubset {
  readonly memory: { readonly buffer: ArrayBuffer }
  _initialize?(): void
  malloc(size: number): number
  free(pointer: number): void
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number
  hb_blob_destroy(blob: number): void
  hb_blob_get_data(blob: number, length: number): number
  hb_blob_get_length(blob: number): number
  hb_face_create(blob: number, index: number): number
  hb_face_destroy(face: number): void
  hb_face_reference_blob(face: number): number
  hb_subset_input_create_or_fail(): number
  hb_subset_input_destroy(input: number): void
  hb_subset_input_keep_everything(input: number): void
  hb_subset_input_set(input: number, kind: number): number
  hb_set_add(set: number, value: number): void
  hb_set_clear(set: number): void
  hb_set_invert(set: number): void
  hb_subset_input_get_flags(input: number): number
  hb_subset_input_set_flags(input: number, flags: number): void
  hb_subset_input_pin_all_axes_to_default(input: number, face: number): number
  hb_subset_input_pin_axis_location(input: number, face: number, tag: number, value: number): number
  hb_subset_or_fail(face: number, input: number): number
}

const noHinting = 0x01
/** CFF2 outlines are written as CFF, which PDF supports. */
const downgradeCff2 = 0x4000

/** `exports`: those of an instance of harfbuzz-subset.wasm, which needs no imports. */
export function createInstancer(exports: unknown): Instancer {
  const harfBuzz = exports as HarfBuzzSubset
  harfBuzz._initialize?.()
  return {
    instantiate: (bytes, index, coordinates) =>
      withInput(harfBuzz, { bytes, index }, (face, input) => {
        harfBuzz.hb_subset_input_keep_everything(input)
        const flags = harfBuzz.hb_subset_input_get_flags(input)
        harfBuzz.hb_subset_input_set_flags(input, flags | noHinting | downgradeCff2)
        harfBuzz.hb_subset_input_pin_all_axes_to_default(input, face)
        for (const { axis, value } of coordinates)
          harfBuzz.hb_subset_input_pin_axis_location(input, face, tagOf(axis), value)
      }),
    extract: (bytes, index, characters) =>
      withInput(harfBuzz, { bytes, index }, (_, input) => {
        harfBuzz.hb_subset_input_set_flags(input, noHinting)
        for (const kind of [sets.names, sets.nameLanguages, sets.features, sets.scripts]) {
          const set = harfBuzz.hb_subset_input_set(input, kind)
          harfBuzz.hb_set_clear(set)
          harfBuzz.hb_set_invert(set)
        }
        const selected = harfBuzz.hb_subset_input_set(input, sets.characters)
        for (const code of characters) harfBuzz.hb_set_add(selected, code)
      }),
  }
}

/** hb_subset_sets_t of HarfBuzz. */
const sets = { characters: 1, names: 4, nameLanguages: 5, features: 6, scripts: 7 } as const

/** What `configure` asks for of a face; undefined when it cannot be made. */
function withInput(
  harfBuzz: HarfBuzzSubset,
  { bytes, index }: { readonly bytes: Uint8Array; readonly index: number },
  configure: (face: number, input: number) => void,
): Uint8Array | undefined {
  const data = harfBuzz.malloc(bytes.byteLength)
  if (data === 0) return undefined
  new Uint8Array(harfBuzz.memory.buffer, data, bytes.byteLength).set(bytes)
  const blob = harfBuzz.hb_blob_create(data, bytes.byteLength, 1, 0, 0)
  const face = harfBuzz.hb_face_create(blob, index)
  const input = harfBuzz.hb_subset_input_create_or_fail()
  try {
    if (input === 0) return undefined
    configure(face, input)
    return subset(harfBuzz, face, input)
  } finally {
    if (input !== 0) harfBuzz.hb_subset_input_destroy(input)
    harfBuzz.hb_face_destroy(face)
    harfBuzz.hb_blob_destroy(blob)
    harfBuzz.free(data)
  }
}

function subset(harfBuzz: HarfBuzzSubset, face: number, input: number): Uint8Array | undefined {
  const subsetFace = harfBuzz.hb_subset_or_fail(face, input)
  if (subsetFace === 0) return undefined
  const blob = harfBuzz.hb_face_reference_blob(subsetFace)
  const length = harfBuzz.hb_blob_get_length(blob)
  const start = harfBuzz.hb_blob_get_data(blob, 0)
  const bytes = new Uint8Array(harfBuzz.memory.buffer, start, length).slice()
  harfBuzz.hb_blob_destroy(blob)
  harfBuzz.hb_face_destroy(subsetFace)
  return length === 0 ? undefined : bytes
}

function tagOf(axis: string): number {
  let tag = 0
  for (let at = 0; at < 4; at++) tag = (tag << 8) | (axis.charCodeAt(at) & 255)
  return tag
}
