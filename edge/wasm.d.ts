declare module '@jsquash/webp/codec/*.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module 'harfbuzzjs/dist/*.wasm' {
  const module: WebAssembly.Module
  export default module
}
