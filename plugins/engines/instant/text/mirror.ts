/** Each character is followed by its mirror image, or preceded by it. */
const pairs = '()[]{}<>«»‹›≤≥⟨⟩⁅⁆「」『』（）'
const mirrors = new Map([...pairs].map((character, index, all) => [character, all[index ^ 1]!]))

/**
 * The mirrored form of a bracket, which right-to-left text shows. Rule L4 of UAX #9, for the pairs that occur
 * in documents.
 */
function mirrorOf(character: string): string {
  return mirrors.get(character) ?? character
}

/** The text with all such brackets mirrored. */
export function mirrored(text: string): string {
  return text.replace(/[()[\]{}<>«»‹›≤≥⟨⟩⁅⁆「」『』（）]/g, mirrorOf)
}
