import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { WasmLoader } from '../../plugins/engines/instant/text/complex-shaper.ts'

/** The type libraries of this folder know nothing of WebAssembly. */
const wasm = (globalThis as unknown as { WebAssembly: WasmApi }).WebAssembly
interface WasmApi {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: unknown } }>
}

/** Compiles HarfBuzz from the package's file, once a book. */
export const loadHarfBuzz: WasmLoader = async (imports) => {
  const path = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz.wasm')
  const { instance } = await wasm.instantiate(await readFile(path), imports)
  return instance.exports
}
