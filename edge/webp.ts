/// <reference path="./wasm.d.ts" />
import webp from '@jsquash/webp/codec/dec/webp_dec.wasm'
import { type WebpFactory, webpDecoder } from '../plugins/engines/instant/images/webp-module.ts'

/** WebP pictures with losses. A Worker may not compile: the module comes compiled with the bundle. */
export const decodeWebp = webpDecoder(async () => {
  const { default: factory } = (await import('@jsquash/webp/codec/dec/webp_dec.js')) as unknown as {
    default: WebpFactory
  }
  return {
    factory,
    instantiate: (imports) => new WebAssembly.Instance(webp, imports as WebAssembly.Imports),
  }
})
