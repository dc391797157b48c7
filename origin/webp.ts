import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import {
  type WebpFactory,
  type WebpParts,
  webpEncoderLoader,
  webpLoader,
} from '../plugins/engines/instant/images/webp-module.ts'

/** The type libraries of this project declare no WebAssembly. */
const wasm = (globalThis as unknown as { WebAssembly: WebpWasmApi }).WebAssembly
interface WebpWasmApi {
  compile(bytes: Uint8Array): Promise<object>
  Instance: new (module: object, imports: object) => { exports: object }
}

const partsOf = (name: 'dec' | 'enc') => async (): Promise<WebpParts> => {
  const { resolve } = createRequire(import.meta.url)
  const path = `@jsquash/webp/codec/${name}/webp_${name}`
  const { default: factory } = (await import(resolve(`${path}.js`))) as { default: WebpFactory }
  const module = await wasm.compile(await readFile(resolve(`${path}.wasm`)))
  return { factory, instantiate: (imports) => new wasm.Instance(module, imports) }
}

/** Loads the decoder of WebP pictures: libwebp in WebAssembly, whose memory is isolated from the process. */
export const loadWebpDecoder = webpLoader(partsOf('dec'))
export const loadWebpEncoder = webpEncoderLoader(partsOf('enc'))
