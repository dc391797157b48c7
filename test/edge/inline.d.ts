declare module '*?inline' {
  const address: string // data:...;base64,...
  export default address
}
