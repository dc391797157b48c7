import type { PathFill } from '../../../../../shared/document/drawing.ts'
import type { Colour, Fill } from '../frame.ts'

/**
 * How far the colour of a path is from that of its shape: above 0 toward white, below 0 toward black. ECMA-376-1
 * 20.1.10.37 gives no numbers; these are observed in LibreOffice.
 */
const shades: Readonly<Record<PathFill, number>> = {
  norm: 0,
  none: 0,
  lighten: 0.4,
  lightenLess: 0.2,
  darken: -0.4,
  darkenLess: -0.2,
}

/** The fill of a shape in the shade of one of its paths. Tiles keep their colours. */
export function shaded(fill: Fill, path: PathFill): Fill {
  const shade = shades[path]
  if (shade === 0) return fill
  switch (fill.kind) {
    case 'solid':
      return { ...fill, colour: shadedColour(fill.colour, shade) }
    case 'linear':
    case 'radial':
      return {
        ...fill,
        stops: fill.stops.map(({ at, colour }) => ({ at, colour: shadedColour(colour, shade) })),
      }
    case 'tiles':
      return fill
    default:
      return fill satisfies never
  }
}

function shadedColour(colour: Colour, shade: number): Colour {
  const channel = (shift: number): number => {
    const value = (colour >> shift) & 0xff
    return Math.floor(shade > 0 ? value + (255 - value) * shade : value * (1 + shade)) << shift
  }
  return channel(16) | channel(8) | channel(0)
}
