import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { WasmLoader } from '../../plugins/engines/instant/text/complex-shaper.ts'

/** The type libraries of this project declare no WebAssembly. */
const wasm = (globalThis as unknown as { WebAssembly: HarfbuzzWasmApi }).WebAssembly
interface HarfbuzzWasmApi {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: unknown } }>
}

/** Compiles and instantiates HarfBuzz from the file of its npm package. */
export const loadHarfBuzz: WasmLoader = (imports) => load('harfbuzz.wasm', imports)
/** Compiles and instantiates the subsetter of HarfBuzz, which creates static instances of variable fonts. */
export const loadSubsetter: WasmLoader = (imports) => load('harfbuzz-subset.wasm', imports)

async function load(file: string, imports: object): Promise<unknown> {
  const path = createRequire(import.meta.url).resolve(`harfbuzzjs/dist/${file}`)
  const { instance } = await wasm.instantiate(await readFile(path), imports)
  return instance.exports
}
