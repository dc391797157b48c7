/** The bundler hands files of this kind over as text. */
declare module '*.sql' {
  const text: string
  export default text
}
