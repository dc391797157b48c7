import { partsOfOdf } from '../../../../shared/office/opendocument/parts.ts'
import type { DocumentReader } from '../../../../shared/plugin/contract.ts'
import { readOdt } from './index.ts'

/** Reads ODT bytes into the document model. Parts are inflated when they are read. */
export const odtReader: DocumentReader = {
  read: (bytes, context) => readOdt(partsOfOdf(bytes, context, 'odt')),
}
