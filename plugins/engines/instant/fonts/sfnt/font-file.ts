/** A parsed font program; see `read-font.ts`. */
export interface FontFile {
  readonly postScriptName: string
  readonly unitsPerEm: number
  readonly glyphCount: number
}
