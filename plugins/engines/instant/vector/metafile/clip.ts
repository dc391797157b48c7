import type { PathCommand } from '../../layout/frame.ts'

/** One outline of a clip, in device units. */
export interface ClipPart {
  readonly commands: readonly PathCommand[]
  readonly evenOdd?: boolean
  /** Set when the outline is this rectangle, with sides along the axes. */
  readonly box?: ClipBox
}
/** The intersection of all parts; an empty list does not clip. */
export type Clip = readonly ClipPart[]
export type ClipBox = readonly [left: number, top: number, right: number, bottom: number]
export type ClipArea = readonly [x: number, y: number, width: number, height: number]

/** How a new outline is combined with the clip. Source: [MS-EMF] 2.1.29, RegionMode. */
export const regionModes = { and: 1, or: 2, xor: 3, diff: 4, copy: 5 } as const

const maxParts = 32
const outside = 1e7

export function boxPart(boxes: readonly ClipBox[]): ClipPart {
  const commands = boxes.map(([left, top, right, bottom]): PathCommand => {
    return ['R', left, top, Math.max(0, right - left), Math.max(0, bottom - top)]
  })
  return { commands, ...(boxes.length === 1 && { box: boxes[0]! }) }
}

/** Intersects the clip with an outline: two boxes become their intersection; outlines beyond a maximum are ignored. */
export function intersect(clip: Clip, part: ClipPart): Clip {
  const last = clip.at(-1)
  if (last?.box !== undefined && part.box !== undefined) {
    const [a, b] = [last.box, part.box]
    const shared: ClipBox = [
      Math.max(a[0], b[0]),
      Math.max(a[1], b[1]),
      Math.min(a[2], b[2]),
      Math.min(a[3], b[3]),
    ]
    return [...clip.slice(0, -1), boxPart([shared])]
  }
  return clip.length < maxParts ? [...clip, part] : clip
}

/** Removes an outline, which must be boxes or one figure, from the clip. */
export function exclude(clip: Clip, { commands }: ClipPart): Clip {
  const all: PathCommand = ['R', -outside, -outside, 2 * outside, 2 * outside]
  return clip.length < maxParts ? [...clip, { commands: [all, ...commands], evenOdd: true }] : clip
}

/** Source: [MS-EMF] 2.3.2.2, EMR_EXTSELECTCLIPRGN, and 2.3.2.3, EMR_SELECTCLIPPATH. */
export function combine(clip: Clip, part: ClipPart, mode: number): Clip {
  if (mode === regionModes.and) return intersect(clip, part)
  if (mode === regionModes.diff) return exclude(clip, part)
  if (mode === regionModes.copy) return [part]
  const last = clip.at(-1)
  if (last === undefined) return clip
  const joined = { commands: [...last.commands, ...part.commands], evenOdd: mode === regionModes.xor }
  return [...clip.slice(0, -1), joined]
}

export function moveClip(clip: Clip, dx: number, dy: number): Clip {
  const moved = (command: PathCommand): PathCommand => {
    if (command[0] === 'R') return ['R', command[1] + dx, command[2] + dy, command[3], command[4]]
    const [kind, ...values] = command as readonly [string, ...number[]]
    return [kind, ...values.map((value, at) => value + (at % 2 === 0 ? dx : dy))] as unknown as PathCommand
  }
  return clip.map(({ commands, evenOdd, box }) => ({
    commands: commands.map(moved),
    ...(evenOdd !== undefined && { evenOdd }),
    ...(box && { box: [box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy] as const }),
  }))
}
