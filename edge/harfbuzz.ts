/// <reference path="./wasm.d.ts" />
import shaper from 'harfbuzzjs/dist/harfbuzz.wasm'
import subsetter from 'harfbuzzjs/dist/harfbuzz-subset.wasm'
import type { WasmLoader } from '../plugins/engines/instant/text/complex-shaper.ts'

/** HarfBuzz, for scripts whose letters join or change places. The module comes compiled with the bundle. */
export const loadHarfBuzz: WasmLoader = async (imports) =>
  new WebAssembly.Instance(shaper, imports as WebAssembly.Imports).exports

/** The part of it that makes plain fonts of variable ones. */
export const loadSubsetter: WasmLoader = async () => new WebAssembly.Instance(subsetter, {}).exports
