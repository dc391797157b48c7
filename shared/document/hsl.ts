/** Converts RRGGBB into hue, saturation and lightness, each 0 to 1. */
export function toHsl(hex: string): [number, number, number] {
  const value = Number.parseInt(hex, 16)
  const r = ((value >> 16) & 255) / 255
  const g = ((value >> 8) & 255) / 255
  const b = (value & 255) / 255
  const max = Math.max(r, g, b)
  const min = Math.min(r, g, b)
  const l = (max + min) / 2
  const d = max - min
  if (d === 0) return [0, 0, l]
  const s = l > 0.5 ? d / (2 - max - min) : d / (max + min)
  let h: number
  if (max === r) h = (g - b) / d + (g < b ? 6 : 0)
  else if (max === g) h = (b - r) / d + 2
  else h = (r - g) / d + 4
  return [h / 6, s, l]
}

/** Converts hue, saturation and lightness, each 0 to 1, into RRGGBB. */
export function fromHsl(h: number, s: number, l: number): string {
  const channel = (offset: number): string => {
    let t = h + offset
    if (t < 0) t += 1
    if (t > 1) t -= 1
    const q = l < 0.5 ? l * (1 + s) : l + s - l * s
    const p = 2 * l - q
    let value = p
    if (t < 1 / 6) value = p + (q - p) * 6 * t
    else if (t < 1 / 2) value = q
    else if (t < 2 / 3) value = p + (q - p) * (2 / 3 - t) * 6
    return Math.round(Math.max(0, Math.min(1, s === 0 ? l : value)) * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return (channel(1 / 3) + channel(0) + channel(-1 / 3)).toUpperCase()
}
