/**
 * A font as documents name it. LibreOffice appends font features to the name: 'Linux Libertine
 * G:smcp&-liga&ss02=1'.
 */
export interface FontName {
  readonly family: string
  /** The OpenType features in their order, 'smcp' or '-liga'; empty for nearly all fonts. */
  readonly features: readonly string[]
}

const none: readonly string[] = []
const maxFeatures = 32

export function readFontName(name: string): FontName {
  const colon = name.indexOf(':')
  if (colon < 0) return { family: name, features: none }
  const features: string[] = []
  for (const part of name.slice(colon + 1).split(/[&:]/, maxFeatures)) {
    const match = /^([-+]?)([A-Za-z][A-Za-z0-9]{3})(?:\[[^\]]*\])?(?:=(\d+|on|off))?$/.exec(part.trim())
    if (match === null) continue // 'lang=en' and other settings that programs add
    const isOff = match[1] === '-' || match[3] === '0' || match[3] === 'off'
    features.push(isOff ? `-${match[2]}` : (match[2] ?? ''))
  }
  return { family: name.slice(0, colon), features }
}
