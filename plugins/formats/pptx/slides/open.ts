import type { Deck } from '../../../../shared/document/deck.ts'
import { partsOfOoxml } from '../../../../shared/office/ooxml/parts.ts'
import type { OpenContext } from '../../../../shared/plugin/contract.ts'
import type { Outcome } from '../../../../shared/plugin/values.ts'
import { readDeck } from './index.ts'

/** Reads PPTX bytes into the deck model. Parts are inflated when they are first read, each only once. */
export function readPptx(bytes: Uint8Array, context: OpenContext): Outcome<Deck> {
  return readDeck(partsOfOoxml(bytes, context, 'pptx'))
}
