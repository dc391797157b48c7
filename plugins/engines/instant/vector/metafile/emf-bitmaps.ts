import type { BitmapUse, MetafileCanvas } from './canvas.ts'
import type { ClipArea } from './clip.ts'
import { emfRecords } from './emf-records.ts'
import { rasterOperations } from './raster-operations.ts'

/** A record of an enhanced metafile: its type, the offset after type and size, and its end. */
export interface EmfRecord {
  readonly type: number
  readonly at: number
  readonly end: number
}

/** Draws a record of bitmaps; false for any other. Source: [MS-EMF] 2.3.1. */
export function playBitmap(view: DataView, canvas: MetafileCanvas, record: EmfRecord): boolean {
  switch (record.type) {
    case emfRecords.bitBlt:
    case emfRecords.stretchBlt:
    case emfRecords.maskBlt:
    case emfRecords.alphaBlend:
    case emfRecords.transparentBlt:
      transferBlock(view, canvas, record)
      return true
    case emfRecords.setDiBitsToDevice:
    case emfRecords.stretchDiBits:
      drawBits(view, canvas, record)
      return true
    default:
      return false
  }
}

/** Draws the records of bit-block transfers. The bitmap is absent where the operation needs none. */
function transferBlock(view: DataView, canvas: MetafileCanvas, { type, at, end }: EmfRecord): void {
  const box = ints(view, at + 16, 4) as unknown as ClipArea
  const operation = view.getUint32(at + 32, true)
  // The other two have a blend function or a transparent colour at its position.
  const hasOperation = type !== emfRecords.alphaBlend && type !== emfRecords.transparentBlt
  const [headerAt, headerSize, bitsAt, bitsSize] = uints(view, at + 76, 4)
  if (headerSize === 0 || bitsSize === 0 || at - 8 + bitsAt + bitsSize > end) {
    if (hasOperation) canvas.operate(operation, ...box)
    return
  }
  if (operation === rasterOperations.nothing && hasOperation) return
  if (type === emfRecords.maskBlt) canvas.ignored.add('mask')
  // Only these have a size of the source, which makes the record at least 108 bytes long.
  const hasSourceSize = type !== emfRecords.bitBlt && type !== emfRecords.maskBlt && end - at >= 100
  const [x, y] = ints(view, at + 36, 2) as [number, number]
  const [width, height] = hasSourceSize ? (ints(view, at + 92, 2) as [number, number]) : [box[2], box[3]]
  const dib = dibOf(view, at, { headerAt, headerSize, bitsAt, bitsSize })
  const use: BitmapUse = {
    ...(type === emfRecords.stretchBlt && { operation }),
    ...(hasSourceSize && { source: [x, y, width, height] }),
  }
  if (type === emfRecords.bitBlt) canvas.bitmap(dib, headerSize, box, { operation, from: [x, y] })
  else if (type === emfRecords.alphaBlend)
    canvas.bitmap(dib, headerSize, box, { ...use, ...blending(operation) })
  else canvas.bitmap(dib, headerSize, box, use)
}

/** Source: [MS-EMF] 2.3.1.1: operation, flags, constant alpha, and whether pixels have their own alpha. */
function blending(value: number): Pick<BitmapUse, 'opacity' | 'blend'> {
  return { opacity: ((value >>> 16) & 255) / 255, blend: value >>> 24 === 1 }
}

/** Draws a device-independent bitmap. Source rows count from the bottom of bitmaps that are stored from the bottom. */
function drawBits(view: DataView, canvas: MetafileCanvas, { type, at }: EmfRecord): void {
  const [x, y, sourceX, sourceY, width, height] = ints(view, at + 16, 6) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const [headerAt, headerSize, bitsAt, bitsSize] = uints(view, at + 40, 4)
  const dib = dibOf(view, at, { headerAt, headerSize, bitsAt, bitsSize })
  const bitmapHeight = new DataView(dib.buffer).getInt32(8, true) // negative for rows from the top
  const top = bitmapHeight > 0 ? bitmapHeight - sourceY - height : sourceY
  const source: ClipArea = [sourceX, top, width, height]
  if (type === emfRecords.setDiBitsToDevice) {
    canvas.bitmap(dib, headerSize, [x, y, width, height], { source })
    return
  }
  const operation = view.getUint32(at + 60, true)
  const [targetWidth, targetHeight] = ints(view, at + 64, 2) as [number, number]
  canvas.bitmap(dib, headerSize, [x, y, targetWidth, targetHeight], { operation, source })
}

interface DibLayout {
  readonly headerAt: number
  readonly headerSize: number
  readonly bitsAt: number
  readonly bitsSize: number
}

/** Offsets are relative to the beginning of the record, 8 bytes before `at`. */
function dibOf(
  view: DataView,
  at: number,
  { headerAt, headerSize, bitsAt, bitsSize }: DibLayout,
): Uint8Array {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  const from = at - 8
  if (
    from + bitsAt + bitsSize > bytes.length ||
    from + headerAt + headerSize > bytes.length ||
    headerSize < 12
  )
    throw new RangeError()
  const dib = new Uint8Array(headerSize + bitsSize)
  dib.set(bytes.subarray(from + headerAt, from + headerAt + headerSize))
  dib.set(bytes.subarray(from + bitsAt, from + bitsAt + bitsSize), headerSize)
  return dib
}

const ints = (view: DataView, at: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => view.getInt32(at + 4 * n, true))
const uints = (view: DataView, at: number, count: 4): [number, number, number, number] =>
  Array.from({ length: count }, (_, n) => view.getUint32(at + 4 * n, true)) as [
    number,
    number,
    number,
    number,
  ]
