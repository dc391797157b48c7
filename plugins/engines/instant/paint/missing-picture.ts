import type { Path } from '../layout/frame.ts'

const grey = 0xb0b0b0

/** The missing-image placeholder, a crossed box, so that a picture that cannot be read does not disappear silently. */
export function missingPicture(width: number, height: number): Path {
  return {
    commands: [
      ['R', 0, 0, width, height],
      ['M', 0, 0],
      ['L', width, height],
      ['M', width, 0],
      ['L', 0, height],
    ],
    stroke: { colour: grey, width: 0.5 },
  }
}
