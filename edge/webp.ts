/// <reference path="./wasm.d.ts" />
import decoder from '@jsquash/webp/codec/dec/webp_dec.wasm'
import encoder from '@jsquash/webp/codec/enc/webp_enc.wasm'
import {
  type WebpFactory,
  webpEncoderLoader,
  webpLoader,
} from '../plugins/engines/instant/images/webp-module.ts'

/** Loads the decoder of WebP pictures. A Worker cannot compile WebAssembly, so the bundle contains the compiled module. */
export const loadWebpDecoder = webpLoader(async () => {
  const { default: factory } = (await import('@jsquash/webp/codec/dec/webp_dec.js')) as unknown as {
    default: WebpFactory
  }
  return {
    factory,
    instantiate: (imports) => new WebAssembly.Instance(decoder, imports as WebAssembly.Imports),
  }
})

/** Loads the encoder of WebP pictures. */
export const loadWebpEncoder = webpEncoderLoader(async () => {
  const { default: factory } = (await import('@jsquash/webp/codec/enc/webp_enc.js')) as unknown as {
    default: WebpFactory
  }
  return {
    factory,
    instantiate: (imports) => new WebAssembly.Instance(encoder, imports as WebAssembly.Imports),
  }
})
