import type { PictureAdjust } from '../../../../../shared/document/paint.ts'

/**
 * The primitives of an SVG filter that change the colours of a picture as `../raster/adjust-pixels.ts` does. Source: Filter
 * Effects Module Level 1.
 */
export function adjustFilter(adjust: PictureAdjust): string {
  const { kind, threshold = 0.5, dark = '000000', light = 'FFFFFF', brightness, contrast } = adjust
  const parts: string[] = []
  if (kind === 'grey' || kind === 'two-tone' || kind === 'duotone') parts.push(greyMatrix)
  if (kind === 'two-tone') {
    // As many steps as thousandths: the ones below the threshold are black.
    const steps = 1000
    const black = Math.min(steps, Math.max(0, Math.round(threshold * steps)))
    const table = [...Array<number>(black).fill(0), ...Array<number>(steps - black).fill(1)].join(' ')
    parts.push(transfer(() => `type="discrete" tableValues="${table}"`))
  }
  if (kind === 'duotone')
    parts.push(
      transfer((channel) => `type="table" tableValues="${part(dark, channel)} ${part(light, channel)}"`),
    )
  if (kind === 'inverted') parts.push(transfer(() => 'type="table" tableValues="1 0"'))
  const slope = contrast >= 0 ? 128 / (128 - 127 * Math.min(0.99, contrast)) : (128 + 127 * contrast) / 128
  const offset = brightness + (1 - slope) * (128 / 255)
  if (Math.abs(slope - 1) > 0.001 || Math.abs(offset) > 0.001)
    parts.push(transfer(() => `type="linear" slope="${slope}" intercept="${offset}"`))
  return parts.join('')
}

const greyRow = '0.299 0.587 0.114 0 0'
const greyMatrix = `<feColorMatrix type="matrix" values="${greyRow} ${greyRow} ${greyRow} 0 0 0 1 0"/>`

function transfer(attributes: (channel: number) => string): string {
  const functions = ['R', 'G', 'B'].map((name, channel) => `<feFunc${name} ${attributes(channel)}/>`)
  return `<feComponentTransfer>${functions.join('')}</feComponentTransfer>`
}

const part = (color: string, channel: number): number =>
  (Number.parseInt(color.slice(channel * 2, channel * 2 + 2), 16) || 0) / 255
