const pairs = '()[]{}<>«»‹›≤≥⟨⟩⁅⁆「」『』（）'
const mirrors = new Map([...pairs].map((character, index, all) => [character, all[index ^ 1]!]))

/** The bracket that opens the other way, as right-to-left text shows it. UAX #9 L4, the pairs documents hold. */
function mirrorOf(character: string): string {
  return mirrors.get(character) ?? character
}

export function mirrored(text: string): string {
  return text.replace(/[()[\]{}<>«»‹›≤≥⟨⟩⁅⁆「」『』（）]/g, mirrorOf)
}
