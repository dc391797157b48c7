/** The paper of a page: `@page`, otherwise A4 with the margin of browsers. Margins of the body are added. */
import type { Declaration } from '../../../../shared/css/declarations.ts'
import { pageStyleOf, sizeOfPaper } from '../../../../shared/css/paper.ts'
import type { ComputedStyle } from '../../../../shared/css/style.ts'
import type { PageSetting } from './odf/document.ts'

/** The default page margin of browsers: 1 cm. */
const defaultMargin = 72 / 2.54

export function paperOf(rules: readonly Declaration[], body: ComputedStyle): PageSetting {
  const page = pageStyleOf(rules)
  const [width, height] = sizeOfPaper(page)
  const marginOf = (name: 'top' | 'right' | 'bottom' | 'left') => {
    const extent = name === 'top' || name === 'bottom' ? height : width
    const margin = Math.max(0, page.length(`margin-${name}`, extent) ?? defaultMargin)
    const inside =
      Math.max(0, body.length(`margin-${name}`, width) ?? 0) +
      Math.max(0, body.length(`padding-${name}`, width) ?? 0)
    return Math.min(margin + inside, extent / 3)
  }
  const background = body.color('background-color') ?? body.parent?.color('background-color')
  return {
    width,
    height,
    margin: {
      top: marginOf('top'),
      right: marginOf('right'),
      bottom: marginOf('bottom'),
      left: marginOf('left'),
    },
    ...(background !== undefined && background !== 'ffffff' && { background }),
  }
}
