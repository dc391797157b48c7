/** Colours as style sheets write them, opaque on white paper. Source: CSS Color 4, and 5, 3 (color-mix). */
import { readColor } from '../template/html/css.ts'
import { calculate } from './calc.ts'
import { splitOutside } from './selector.ts'

const maxLength = 500

/**
 * Returns 'rrggbb'; translucent colours are blended with white. Undefined for invalid and for fully transparent
 * colours.
 */
export function colorOf(written: string): string | undefined {
  const value = simplified(written)
  const color = value === undefined ? undefined : channelsOf(value, 0)
  if (value === undefined || color === undefined) return undefined
  const alpha = alphaOf(value)
  if (alpha >= 1) return color
  if (alpha <= 0.01) return undefined
  return mixed(color, 'ffffff', alpha)
}

/** Whether a word of a value is a colour, including fully transparent ones. */
export const isColor = (word: string): boolean => {
  if (/^(?:transparent|currentcolor)$/i.test(word)) return true
  const value = simplified(word)
  return value !== undefined && channelsOf(value, 0) !== undefined
}

/** Replaces the formulas in a colour with numbers. */
function simplified(value: string): string | undefined {
  const lower = value.trim().toLowerCase()
  if (lower.length > maxLength) return undefined
  if (!lower.includes('calc(')) return lower
  return lower.replace(/calc\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, (formula) => {
    const number = calculate(formula, (result) => result)
    return number === undefined ? formula : `${Number(number.toFixed(4))}${formula.includes('%') ? '%' : ''}`
  })
}

function channelsOf(value: string, depth: number): string | undefined {
  const named = readColor(value)?.toLowerCase()
  if (named !== undefined || depth > 3) return named
  const ok = /^okl(ab|ch)\(\s*([\d.]+)(%?)\s+(-?[\d.]+)(%?)\s+(-?[\d.]+)(%|deg)?\s*(?:\/.*)?\)$/.exec(value)
  if (ok !== null) {
    const [, kind, light, percent, second, secondPercent, third, thirdPercent] = ok
    const l = Number(light) / (percent === '%' ? 100 : 1)
    const [a, b] = [Number(second) * (secondPercent === '%' ? 0.004 : 1), Number(third)]
    if (kind === 'ab') return fromOklab(l, a, b * (thirdPercent === '%' ? 0.004 : 1))
    return fromOklab(l, a * Math.cos((b * Math.PI) / 180), a * Math.sin((b * Math.PI) / 180))
  }
  const parts = splitOutside(/^color-mix\(in [a-z0-9 -]+,(.*)\)$/s.exec(value)?.[1] ?? '', ',')
  if (parts.length !== 2) return undefined
  const [first, second] = parts.map((part) => {
    const [, before, color = '', after] = /^\s*([\d.]+%)?\s*(.*?)\s*([\d.]+%)?\s*$/s.exec(part) ?? []
    const share = before ?? after
    const channels = color === 'transparent' ? 'ffffff' : channelsOf(color, depth + 1)
    return { color: channels, share: share === undefined ? undefined : Number.parseFloat(share) / 100 }
  })
  if (first?.color === undefined || second?.color === undefined) return undefined
  const share = first.share ?? (second.share === undefined ? 0.5 : 1 - second.share)
  return mixed(first.color, second.color, Math.min(1, Math.max(0, share)))
}

/** Source: CSS Color 4, 18 (sample code for color conversions). */
function fromOklab(lightness: number, a: number, b: number): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  return linear
    .map((linearChannel) => {
      const part = Math.min(1, Math.max(0, linearChannel))
      const channel = part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055
      return hex(channel * 255)
    })
    .join('')
}

const hex = (channel: number): string => Math.round(channel).toString(16).padStart(2, '0')

/** Mixes `share` of the first colour with the rest of the second. */
function mixed(first: string, second: string, share: number): string {
  return [0, 2, 4]
    .map((at) => {
      const [firstByte, secondByte] = [first, second].map((color) =>
        Number.parseInt(color.slice(at, at + 2), 16),
      )
      return hex((firstByte ?? 0) * share + (secondByte ?? 0) * (1 - share))
    })
    .join('')
}

/** The opacity of a colour that has been read, 0..1. */
export function alphaOf(value: string): number {
  const digits = /^#(?:[\da-f]{6}([\da-f]{2})|[\da-f]{3}([\da-f]))$/i.exec(value.trim())
  if (digits !== null) return Number.parseInt(digits[1] ?? `${digits[2]}${digits[2]}`, 16) / 255
  if (value.startsWith('color-mix')) return 1
  const parts = /\((.*)\)/
    .exec(value)?.[1]
    ?.split(/[\s,/]+/)
    .filter((part) => part !== '')
  const last = parts?.[3]
  if (last === undefined) return 1
  const alpha = last.endsWith('%') ? Number.parseFloat(last) / 100 : Number(last)
  return Number.isFinite(alpha) ? alpha : 1
}
