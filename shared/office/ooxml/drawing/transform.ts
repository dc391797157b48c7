import type { XmlCursor } from '../../../xml/cursor.ts'
import { emu, integer, isOn } from '../values.ts'

/** a:xfrm (20.1.7.6): the box of an object in points, and for groups the coordinate space of the children. */
export interface Transform {
  x: number
  y: number
  width: number
  height: number
  childX: number
  childY: number
  childWidth: number
  childHeight: number
  rotation: number
  flipHorizontal: boolean
  flipVertical: boolean
}

export function readTransform(cursor: XmlCursor): Transform {
  const t: Transform = {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
    childX: 0,
    childY: 0,
    childWidth: 0,
    childHeight: 0,
    rotation: (integer(cursor.attribute('rot')) ?? 0) / 60_000,
    flipHorizontal: isOn(cursor.attribute('flipH')),
    flipVertical: isOn(cursor.attribute('flipV')),
  }
  cursor.each((name) => {
    const x = emu(cursor.attribute('x') ?? cursor.attribute('cx')) ?? 0
    const y = emu(cursor.attribute('y') ?? cursor.attribute('cy')) ?? 0
    if (name === 'a:off') [t.x, t.y] = [x, y]
    else if (name === 'a:ext') [t.width, t.height] = [Math.max(0, x), Math.max(0, y)]
    else if (name === 'a:chOff') [t.childX, t.childY] = [x, y]
    else if (name === 'a:chExt') [t.childWidth, t.childHeight] = [x, y]
  })
  return t
}
