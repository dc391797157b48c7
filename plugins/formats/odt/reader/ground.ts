import type { Gradient } from '../../../../shared/document/drawing.ts'
import type { Ground, GroundLength, HatchGround, PictureGround } from '../../../../shared/document/ground.ts'
import type { XmlCursor } from '../../../../shared/document/xml-cursor.ts'
import { color, exactLength, length, percent } from './values.ts'

/** What fills are called by (ODF 1.3 part 3, 16.40): the names of styles, pictures by their address in the package. */
export interface Fills {
  readonly gradients: ReadonlyMap<string, Gradient>
  readonly hatches: ReadonlyMap<string, HatchGround>
  readonly fillImages: ReadonlyMap<string, string>
  /** What lies behind pages ends at their margins: documents of programs before LibreOffice 6.3. */
  readonly withinMargins: boolean
  /** The pictures that were asked for. */
  readonly pictures: Set<string>
}

const mostDistance = 1_000
/** Observed in LibreOffice: a hundredth of a millimetre is drawn as a twentieth of a point. */
const stretched = 2540 / 72 / 20

/** draw:hatch (16.40.5): lines at an angle, and others across it. */
export function readHatch(cursor: XmlCursor): HatchGround {
  const turn = Number.parseFloat(cursor.attribute('draw:rotation') ?? '0') || 0
  const unit = /deg|grad|rad$/.exec(cursor.attribute('draw:rotation') ?? '')?.[0]
  const first = unit === 'deg' ? turn : unit === 'rad' ? (turn * 180) / Math.PI : turn / 10
  const style = cursor.attribute('draw:style')
  const more = style === 'double' ? [90] : style === 'triple' ? [45, 90] : []
  const distance = (exactLength(cursor.attribute('draw:distance')) ?? 1) * stretched
  return {
    kind: 'hatch',
    color: color(cursor.attribute('draw:color')) ?? '000000',
    angles: [first, ...more.map((further) => first + further)],
    distance: Math.max(0.1, Math.min(mostDistance, distance)),
  }
}

/** What style:background-image (17.3) says, as attributes of the style it stands in. */
export function noteBackgroundImage(cursor: XmlCursor, attributes: Map<string, string>): void {
  attributes.set('background:href', cursor.attribute('xlink:href') ?? '')
  for (const name of ['style:repeat', 'style:position', 'draw:opacity']) {
    const value = cursor.attribute(name)
    if (value !== undefined) attributes.set(`background:${name}`, value)
  }
}

type Get = (name: string) => string | undefined

/**
 * The picture, hatch or gradient that fills something, or lies behind it.
 * Observed in LibreOffice: what draw:fill names comes before style:background-image, which older files have.
 */
export function groundOf(get: Get, fills: Fills): Ground | undefined {
  const opacity = percent(get('draw:opacity'))
  const seen = opacity === undefined || opacity >= 1 ? {} : { opacity }
  const fill = get('draw:fill')
  if (fill === 'bitmap') {
    const media = pictureOf(fills.fillImages.get(get('draw:fill-image-name') ?? ''), fills)
    return media === '' ? undefined : { kind: 'picture', media, ...filling(get), ...seen }
  }
  if (fill === 'hatch') {
    const hatch = fills.hatches.get(get('draw:fill-hatch-name') ?? '')
    return hatch && { ...hatch, ...seen }
  }
  if (fill === 'gradient') {
    const gradient = fills.gradients.get(get('draw:fill-gradient-name') ?? '')
    return gradient && { kind: 'gradient', gradient: { ...gradient, ...seen } }
  }
  const media = fill === undefined ? pictureOf(get('background:href'), fills) : ''
  if (media === '') return undefined
  const shown = percent(get('background:draw:opacity'))
  return {
    kind: 'picture',
    media,
    ...placing(get('background:style:repeat'), get('background:style:position')),
    ...(shown !== undefined && shown < 1 && { opacity: shown }),
  }
}

function pictureOf(href: string | undefined, { pictures }: Fills): string {
  const name = href?.replace(/^\.\//, '') ?? ''
  if (name !== '') pictures.add(name)
  return name
}

/** The same of a style that may undo what it is based on. */
export function backdropOf(get: Get, fills: Fills): Ground | 'none' | undefined {
  const said = get('draw:fill') !== undefined || get('background:href') !== undefined
  return groundOf(get, fills) ?? (said ? 'none' : undefined)
}

/** A fill that leaves the colour below it to be seen: pictures have none, hatches one that is asked for. */
export function coloured(get: Get): boolean {
  const fill = get('draw:fill')
  if (fill === 'bitmap') return false
  return fill !== 'hatch' || get('draw:fill-hatch-solid') === 'true'
}

const hows: Readonly<Record<string, PictureGround['how']>> = {
  repeat: 'tile',
  'no-repeat': 'once',
  stretch: 'stretch',
}

/** Observed in LibreOffice: tiles of `style:background-image` begin at the top left, all others in the middle. */
function placing(repeat: string | undefined, place: string | undefined): Pick<PictureGround, 'how' | 'at'> {
  const how = hows[repeat ?? 'repeat'] ?? 'tile'
  return { how, at: pointOf(place ?? (how === 'tile' ? 'top left' : 'center')) }
}

function filling(get: Get): Omit<PictureGround, 'kind' | 'media'> {
  const [width, height] = [sizeOf(get('draw:fill-image-width')), sizeOf(get('draw:fill-image-height'))]
  const shift = {
    x: { share: percent(get('draw:fill-image-ref-point-x')) ?? 0 },
    y: { share: percent(get('draw:fill-image-ref-point-y')) ?? 0 },
  }
  return {
    ...placing(get('style:repeat'), get('draw:fill-image-ref-point') ?? 'center'),
    ...(width && { width }),
    ...(height && { height }),
    ...((shift.x.share !== 0 || shift.y.share !== 0) && { shift }),
  }
}

function sizeOf(text: string | undefined): GroundLength | undefined {
  const share = text?.endsWith('%') === true ? percent(text) : undefined
  if (share !== undefined) return share > 0 ? { share } : undefined
  const pt = length(text)
  return pt !== undefined && pt > 0 ? { pt } : undefined
}

/** 'top left', 'center', 'bottom': as shares of the box. */
function pointOf(text: string): { readonly x: number; readonly y: number } {
  const has = (word: string) => text.includes(word)
  return {
    x: has('left') ? 0 : has('right') ? 1 : 0.5,
    y: has('top') ? 0 : has('bottom') ? 1 : 0.5,
  }
}
