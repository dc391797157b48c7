import type { Border } from '../../../../shared/document/properties.ts'

/** Everything a border line takes, gaps of double lines included. */
export function lineWidth(border: Border): number {
  if (border.style === 'none') return 0
  if (border.style === 'double') return border.width * 3
  if (border.style === 'triple') return border.width * 5
  return border.width
}
