/// <reference path="./wasm.d.ts" />
import webp from '@jsquash/webp/codec/dec/webp_dec.wasm'
import { type WebpFactory, webpLoader } from '../plugins/engines/instant/images/webp-module.ts'

/** Loads the decoder of WebP pictures. A Worker cannot compile WebAssembly, so the bundle contains the compiled module. */
export const loadWebpDecoder = webpLoader(async () => {
  const { default: factory } = (await import('@jsquash/webp/codec/dec/webp_dec.js')) as unknown as {
    default: WebpFactory
  }
  return {
    factory,
    instantiate: (imports) => new WebAssembly.Instance(webp, imports as WebAssembly.Imports),
  }
})
