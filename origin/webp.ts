import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type WebpFactory, webpLoader } from '../plugins/engines/instant/images/webp-module.ts'

/** The type libraries of this project declare no WebAssembly. */
const wasm = (globalThis as unknown as { WebAssembly: WebpWasmApi }).WebAssembly
interface WebpWasmApi {
  compile(bytes: Uint8Array): Promise<object>
  Instance: new (module: object, imports: object) => { exports: object }
}

/** Loads the decoder of WebP pictures: libwebp in WebAssembly, whose memory is isolated from the process. */
export const loadWebpDecoder = webpLoader(async () => {
  const { resolve } = createRequire(import.meta.url)
  const { default: factory } = (await import(resolve('@jsquash/webp/codec/dec/webp_dec.js'))) as {
    default: WebpFactory
  }
  const module = await wasm.compile(await readFile(resolve('@jsquash/webp/codec/dec/webp_dec.wasm')))
  return { factory, instantiate: (imports) => new wasm.Instance(module, imports) }
})
