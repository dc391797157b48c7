/** The obstacles between a PDF and a standard, collected while the file is walked. */
export interface Findings {
  /** Records something that cannot be corrected without redrawing the pages, such as 'fonts that are not embedded'. */
  obstacle(description: string): void
  /** Records a forbidden feature that was removed. */
  loss(single: string, several: string): void
  /** Records a font that was not embedded and has been replaced by an embedded one with the same widths. */
  replacedFont(name: string): void
  /** The remaining obstacles. Empty when the file conforms. */
  obstacles(): readonly string[]
  /** The removed features, as the parts of a sentence: 'a script', '3 attached files'. */
  losses(): readonly string[]
  replacedFonts(): readonly string[]
}

export function createFindings(): Findings {
  const obstacles = new Set<string>()
  const fonts = new Set<string>()
  const losses = new Map<string, { readonly several: string; count: number }>()
  return {
    obstacle: (description) => void obstacles.add(description),
    loss(single, several) {
      const existing = losses.get(single)
      if (existing === undefined) losses.set(single, { several, count: 1 })
      else existing.count++
    },
    replacedFont: (name) => void fonts.add(name),
    replacedFonts: () => [...fonts],
    obstacles: () => [...obstacles],
    losses: () =>
      [...losses].map(([single, { several, count }]) => (count === 1 ? single : `${count} ${several}`)),
  }
}

/** 'a, b and c'. */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}
