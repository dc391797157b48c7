import { prologueOf } from '../../../../shared/xml/prologue.ts'
import { readEmf } from './metafile/emf.ts'
import { readSvm } from './metafile/svm.ts'
import { readWmf } from './metafile/wmf.ts'
import { readSvg } from './svg/read-svg.ts'
import type { VectorPicture, VectorTools } from './vector.ts'

const headBytes = 4_096

/** Reads an SVG, EMF, WMF or SVM, recognised by its content; undefined for anything else. Never throws for bad content. */
export function readVector(bytes: Uint8Array, tools: VectorTools): VectorPicture | undefined {
  if (beginsWithSvg(new TextDecoder().decode(bytes.subarray(0, headBytes)))) return readSvg(bytes, tools)
  return readEmf(bytes, tools) ?? readSvm(bytes, tools) ?? readWmf(bytes, tools)
}

function beginsWithSvg(head: string): boolean {
  const root = prologueOf(head)?.end
  return root !== undefined && /^<(?:\w+:)?svg[\s>]/i.test(head.slice(root, root + 100))
}
