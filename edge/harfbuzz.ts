/// <reference path="./wasm.d.ts" />
import shaper from 'harfbuzzjs/dist/harfbuzz.wasm'
import subsetter from 'harfbuzzjs/dist/harfbuzz-subset.wasm'
import type { WasmLoader } from '../plugins/engines/instant/text/complex-shaper.ts'

/** HarfBuzz, for scripts whose letters join or are reordered. The bundle contains the compiled module. */
export const loadHarfBuzz: WasmLoader = async (imports) =>
  new WebAssembly.Instance(shaper, imports as WebAssembly.Imports).exports

/** The subsetter of HarfBuzz, which creates static instances of variable fonts. */
export const loadSubsetter: WasmLoader = async () => new WebAssembly.Instance(subsetter, {}).exports
