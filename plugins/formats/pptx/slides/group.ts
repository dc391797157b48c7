import type { Drawing, DrawingContent, GroupChild } from '../../../../shared/document/drawing.ts'
import type { Transform } from '../../../../shared/office/ooxml/drawing/transform.ts'

/** A drawing at the position of its box. */
export const atBox = ({ x, y }: Transform, drawing: Drawing): GroupChild => ({ x, y, drawing })

/** Moves and scales the members of a group from its coordinate space into its box (ECMA-376-1 20.1.7.5). */
export function groupOf(
  box: Transform | undefined,
  members: readonly GroupChild[],
  more: Pick<Drawing, 'link' | 'description'>,
): GroupChild {
  const { x = 0, y = 0, width = 0, height = 0, rotation = 0 } = box ?? {}
  const sx = box !== undefined && box.childWidth > 0 ? width / box.childWidth : 1
  const sy = box !== undefined && box.childHeight > 0 ? height / box.childHeight : 1
  let children = members.map((child) => resized(moved(child, box), sx, sy))
  if (box?.flipHorizontal === true) children = children.map((child) => mirrored(child, width, true))
  if (box?.flipVertical === true) children = children.map((child) => mirrored(child, height, false))
  return { x, y, drawing: { width, height, rotation, content: { kind: 'group', children }, ...more } }
}

const moved = (child: GroupChild, box: Transform | undefined): GroupChild => ({
  ...child,
  x: child.x - (box?.childX ?? 0),
  y: child.y - (box?.childY ?? 0),
})

/**
 * Scales the position and size of a member with all its content. A member that is rotated by about a quarter turn is scaled
 * along its own axes.
 */
function resized(child: GroupChild, sx: number, sy: number): GroupChild {
  if (sx === 1 && sy === 1) return child
  const { x, y, drawing } = child
  const { width, height } = drawing
  const [across, down] = swapsAxes(drawing.rotation) ? [sy, sx] : [sx, sy]
  // The centre does not change under rotation.
  const [centreX, centreY] = [(x + width / 2) * sx, (y + height / 2) * sy]
  const [newWidth, newHeight] = [width * across, height * down]
  return {
    x: centreX - newWidth / 2,
    y: centreY - newHeight / 2,
    drawing: {
      ...drawing,
      width: newWidth,
      height: newHeight,
      content: mapGroup(drawing.content, (inner) => resized(inner, across, down)),
    },
  }
}

/** Whether a rotation exchanges width and height: between 45 and 135 degrees, and opposite. */
const swapsAxes = (rotation: number): boolean => {
  const half = ((rotation % 180) + 180) % 180
  return half >= 45 && half < 135
}

/** Mirrors a member in a group of this width or height. Its text is not mirrored, as in all flipped shapes. */
function mirrored({ x, y, drawing }: GroupChild, size: number, across: boolean): GroupChild {
  const { content } = drawing
  const inner =
    content.kind === 'group'
      ? mapGroup(content, (child) => mirrored(child, across ? drawing.width : drawing.height, across))
      : content.kind === 'shape' || content.kind === 'picture'
        ? {
            ...content,
            ...(across
              ? { flipHorizontal: content.flipHorizontal !== true }
              : { flipVertical: content.flipVertical !== true }),
          }
        : content
  return {
    x: across ? size - x - drawing.width : x,
    y: across ? y : size - y - drawing.height,
    drawing: { ...drawing, rotation: -drawing.rotation, content: inner },
  }
}

const mapGroup = (content: DrawingContent, map: (child: GroupChild) => GroupChild): DrawingContent =>
  content.kind === 'group' ? { ...content, children: content.children.map(map) } : content
