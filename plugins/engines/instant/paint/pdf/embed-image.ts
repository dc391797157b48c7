import type { Codec, Warning } from '../../../../../shared/plugin/contract.ts'
import type { ImageRef } from '../../images/image.ts'
import type { PdfFile } from './pdf-file.ts'

export function embedImage(
  _file: PdfFile,
  _codec: Codec,
  _image: ImageRef,
  _warn?: (warning: Warning) => void,
): number | undefined {
  return undefined
}
