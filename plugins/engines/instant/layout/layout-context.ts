import type { LayoutContext } from './context.ts'
import { drawDrawing } from './drawing/draw.ts'
import { collectFlow } from './flow/collect.ts'
import { fillFlow } from './flow/index.ts'
import { assignDrawing } from './ownership.ts'

/** Completes a context by the layout of nested blocks and drawings, which needs the context itself. */
export function layoutContext(parts: Omit<LayoutContext, 'flows' | 'scratch'>): LayoutContext {
  const context: LayoutContext = {
    ...parts,
    scratch: { flags: new Uint8Array(1024) },
    flows: {
      prepare: (blocks, options) => collectFlow(context, blocks, options),
      fill: (flow, from, region) => fillFlow(context, flow, from, region),
      draw(drawing, width, height) {
        const items = drawDrawing(context, drawing, width, height)
        if (context.ownership !== undefined) assignDrawing(context.ownership, items, drawing)
        return items
      },
    },
  }
  return context
}
