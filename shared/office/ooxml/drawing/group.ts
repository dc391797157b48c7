import type { Drawing, DrawingContent, GroupChild } from '../../../document/drawing.ts'
import type { Transform } from './transform.ts'

/**
 * A member of a group, from the coordinate space of the members into the box of the group. `transform`: the box of the member;
 * `box`: that of the group, absent where members are not scaled. The members of a nested group are scaled along with it.
 */
export function scaledMember(
  drawing: Drawing,
  transform: Transform | undefined,
  box: Transform | undefined,
): GroupChild {
  const scaleX = box !== undefined && box.childWidth > 0 ? box.width / box.childWidth : 1
  const scaleY = box !== undefined && box.childHeight > 0 ? box.height / box.childHeight : 1
  return {
    x: ((transform?.x ?? 0) - (box?.childX ?? 0)) * scaleX,
    y: ((transform?.y ?? 0) - (box?.childY ?? 0)) * scaleY,
    drawing: resized(drawing, transform, (transform?.width ?? 0) * scaleX, (transform?.height ?? 0) * scaleY),
  }
}

/** A drawing in another size. */
function resized(drawing: Drawing, transform: Transform | undefined, width: number, height: number): Drawing {
  let { content } = drawing
  if (content.kind === 'group' && transform !== undefined) {
    const sx = transform.width > 0 ? width / transform.width : 1
    const sy = transform.height > 0 ? height / transform.height : 1
    if (sx !== 1 || sy !== 1)
      content = { kind: 'group', children: content.children.map((child) => resize(child, sx, sy)) }
  }
  return { ...drawing, width, height, content }
}

/** Scales position and size of a group member, and of the members inside it. */
function resize(child: GroupChild, sx: number, sy: number): GroupChild {
  const { drawing } = child
  const content: DrawingContent =
    drawing.content.kind === 'group'
      ? { kind: 'group', children: drawing.content.children.map((inner) => resize(inner, sx, sy)) }
      : drawing.content
  return {
    x: child.x * sx,
    y: child.y * sy,
    drawing: { ...drawing, width: drawing.width * sx, height: drawing.height * sy, content },
  }
}
