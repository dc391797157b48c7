import type { Border } from '../../../../shared/document/properties.ts'

/** Everything a border line takes, gaps of double lines included. */
export function lineWidth(border: Border): number {
  if (border.style === 'none') return 0
  if (border.style === 'double') return border.width * 3
  if (border.style === 'triple') return border.width * 5
  return border.width
}

/**
 * Room that a border of letters takes on each side. Observed in LibreOffice: lines get taller and words move apart;
 * neighbours with equal borders share one box, and each line of text has a box of its own.
 */
export const borderRoom = ({ border }: { readonly border?: Border }): number =>
  border === undefined ? 0 : border.space + lineWidth(border)

export function sameBorder(a: Border | undefined, b: Border | undefined): boolean {
  if (a === b) return true
  return a?.style === b?.style && a?.width === b?.width && a?.color === b?.color && a?.space === b?.space
}
