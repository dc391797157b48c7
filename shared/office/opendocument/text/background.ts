import type {
  Background,
  BackgroundLength,
  HatchBackground,
  PictureBackground,
} from '../../../document/background.ts'
import type { Gradient } from '../../../document/paint.ts'
import { entryOf } from '../../../entry-of.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { type AttributeGetter, color, exactLength, length, percent } from '../values.ts'

/**
 * Named fills of a document (ODF 1.3 part 3, 16.40): gradients, hatches, and pictures by their path in the
 * package.
 */
export interface Fills {
  readonly gradients: ReadonlyMap<string, Gradient>
  readonly hatches: ReadonlyMap<string, HatchBackground>
  readonly fillImages: ReadonlyMap<string, string>
  /** Page backgrounds end at the margins, as in documents written before LibreOffice 6.3. */
  readonly withinMargins: boolean
  /** Receives the paths of the pictures in use. */
  readonly pictures: Set<string>
  /** The gradients that are drawn as radial ones although they ask for another kind. */
  readonly simplified: ReadonlySet<string>
  /** Receives the names of those of them that are in use. */
  readonly simplifiedInUse: Set<string>
}

/** Maximum distance of hatch lines, pt. */
const maxDistance = 1_000
/**
 * Scale of hatches. Observed in LibreOffice: a hundredth of a millimetre is drawn as a twentieth of a point.
 */
const hatchScale = 2540 / 72 / 20

/** Reads draw:hatch (16.40.5): lines at one angle, and for double and triple hatches others across them. */
export function readHatch(cursor: XmlCursor): HatchBackground {
  const rotation = Number.parseFloat(cursor.attribute('draw:rotation') ?? '0') || 0
  const unit = /deg|grad|rad$/.exec(cursor.attribute('draw:rotation') ?? '')?.[0]
  const first = unit === 'deg' ? rotation : unit === 'rad' ? (rotation * 180) / Math.PI : rotation / 10
  const style = cursor.attribute('draw:style')
  const more = style === 'double' ? [90] : style === 'triple' ? [45, 90] : []
  const distance = (exactLength(cursor.attribute('draw:distance')) ?? 1) * hatchScale
  return {
    kind: 'hatch',
    color: color(cursor.attribute('draw:color')) ?? '000000',
    angles: [first, ...more.map((further) => first + further)],
    distance: Math.max(0.1, Math.min(maxDistance, distance)),
  }
}

/** Stores style:background-image (17.3) among the attributes of its style, with the prefix 'background:'. */
export function noteBackgroundImage(cursor: XmlCursor, attributes: Map<string, string>): void {
  attributes.set('background:href', cursor.attribute('xlink:href') ?? '')
  for (const name of ['style:repeat', 'style:position', 'draw:opacity']) {
    const value = cursor.attribute(name)
    if (value !== undefined) attributes.set(`background:${name}`, value)
  }
}

/**
 * Returns the picture, hatch or gradient of a fill or background; undefined for a plain colour or none.
 * Observed in LibreOffice: draw:fill takes precedence over style:background-image, which older files use.
 */
export function backgroundOf(get: AttributeGetter, fills: Fills): Background | undefined {
  const opacity = percent(get('draw:opacity'))
  const opacityOf = opacity === undefined || opacity >= 1 ? {} : { opacity }
  const fill = get('draw:fill')
  if (fill === 'bitmap') {
    const media = pictureOf(fills.fillImages.get(get('draw:fill-image-name') ?? ''), fills)
    return media === '' ? undefined : { kind: 'picture', media, ...filling(get), ...opacityOf }
  }
  if (fill === 'hatch') {
    const hatch = fills.hatches.get(get('draw:fill-hatch-name') ?? '')
    return hatch && { ...hatch, ...opacityOf }
  }
  if (fill === 'gradient') {
    const name = get('draw:fill-gradient-name') ?? ''
    const gradient = fills.gradients.get(name)
    if (fills.simplified.has(name)) fills.simplifiedInUse.add(name)
    return gradient && { kind: 'gradient', gradient: { ...gradient, ...opacityOf } }
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

/** Path of a picture in the package, which is recorded as in use; '' for none. */
function pictureOf(href: string | undefined, { pictures }: Fills): string {
  const name = href?.replace(/^\.\//, '') ?? ''
  if (name !== '') pictures.add(name)
  return name
}

/** The same for a style, where 'none' cancels the background of its parent. */
export function backdropOf(get: AttributeGetter, fills: Fills): Background | 'none' | undefined {
  const isDeclared = get('draw:fill') !== undefined || get('background:href') !== undefined
  return backgroundOf(get, fills) ?? (isDeclared ? 'none' : undefined)
}

/** Whether a fill includes its colour: pictures do not, hatches only with draw:fill-hatch-solid. */
export function coloured(get: AttributeGetter): boolean {
  const fill = get('draw:fill')
  if (fill === 'bitmap') return false
  return fill !== 'hatch' || get('draw:fill-hatch-solid') === 'true'
}

const sizings: Readonly<Record<string, PictureBackground['sizing']>> = {
  repeat: 'tile',
  'no-repeat': 'once',
  stretch: 'stretch',
}

/**
 * Repetition and alignment of a picture. Observed in LibreOffice: the tiles of style:background-image begin
 * at the top left, others are centred.
 */
function placing(
  repeat: string | undefined,
  position: string | undefined,
): Pick<PictureBackground, 'sizing' | 'at'> {
  const sizing = entryOf(sizings, repeat ?? 'repeat') ?? 'tile'
  return { sizing, at: pointOf(position ?? (sizing === 'tile' ? 'top left' : 'center')) }
}

/** Size, alignment and offset of a picture fill. */
function filling(get: AttributeGetter): Omit<PictureBackground, 'kind' | 'media'> {
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

function sizeOf(text: string | undefined): BackgroundLength | undefined {
  const fraction = text?.endsWith('%') === true ? percent(text) : undefined
  if (fraction !== undefined) return fraction > 0 ? { share: fraction } : undefined
  const pt = length(text)
  return pt !== undefined && pt > 0 ? { pt } : undefined
}

/** Parses 'top left', 'center' or 'bottom' into shares of the box. */
function pointOf(text: string): { readonly x: number; readonly y: number } {
  const has = (word: string) => text.includes(word)
  return {
    x: has('left') ? 0 : has('right') ? 1 : 0.5,
    y: has('top') ? 0 : has('bottom') ? 1 : 0.5,
  }
}
