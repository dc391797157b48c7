import type { Deck } from '../../../../shared/document/deck.ts'
import { partsOfOdf } from '../../../../shared/office/opendocument/parts.ts'
import type { OpenContext } from '../../../../shared/plugin/contract.ts'
import type { Outcome } from '../../../../shared/plugin/values.ts'
import { xmlText } from '../../../../shared/xml/cursor.ts'
import { readDeck, readFlatDeck } from './index.ts'

/** Reads ODP bytes into the deck model. Parts are inflated when they are read. */
export const readOdp = (bytes: Uint8Array, context: OpenContext): Outcome<Deck> =>
  readDeck(partsOfOdf(bytes, context, 'odp'))

/** Like `readOdp`, for a document in one XML file. */
export const readFodp = (bytes: Uint8Array): Outcome<Deck> => readFlatDeck(xmlText(bytes))
