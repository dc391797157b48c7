/**
 * The records of ZIP64, which hold numbers that do not fit into the fields of a ZIP package (APPNOTE 6.3.10, 4.3.14, 4.3.15 and
 * 4.5.3). Programs that write while they compress use them for small packages, too. Nothing here is checked against the
 * package; numbers are whole and at most 2 ** 53.
 */

/** A field with this value has its number in a record of ZIP64. */
export const inZip64 = { short: 0xffff, long: 0xffffffff } as const
export const zip64RecordBytes = 56

const locatorSignature = 0x07064b50
const locatorBytes = 20
const recordSignature = 0x06064b50
const extraId = 0x0001

/** Where the central directory of a package is. */
export interface DirectoryPlace {
  readonly count: number
  readonly size: number // bytes
  readonly start: number // offset in the package
  readonly disks: number // 1 for a package in one file
}

/**
 * The offset of the ZIP64 end record in the package, from the locator before the end record at `end` of `view`. Undefined
 * without a locator.
 */
export function zip64RecordAt(view: DataView, end: number): number | undefined {
  const locator = end - locatorBytes
  if (locator < 0 || view.getUint32(locator, true) !== locatorSignature) return undefined
  return wholeNumber(view, locator + 8)
}

/** Reads the ZIP64 end record at `offset`. Undefined where there is none. */
export function readZip64Record(view: DataView, offset: number): DirectoryPlace | undefined {
  if (offset + zip64RecordBytes > view.byteLength || view.getUint32(offset, true) !== recordSignature)
    return undefined
  const onThisDisk = wholeNumber(view, offset + 24)
  const count = wholeNumber(view, offset + 32)
  const size = wholeNumber(view, offset + 40)
  const start = wholeNumber(view, offset + 48)
  if (count === undefined || size === undefined || start === undefined) return undefined
  const isWhole =
    onThisDisk === count && view.getUint32(offset + 16, true) === 0 && view.getUint32(offset + 20, true) === 0
  return { count, size, start, disks: isWhole ? 1 : 2 }
}

/**
 * The numbers of an entry of the central directory, in the order in which its extra field has them. Those that have the value
 * `inZip64.long` are read from the extra field between `from` and `to`. Undefined where they are not there.
 */
export function zip64Numbers(
  view: DataView,
  { from, to }: { readonly from: number; readonly to: number },
  numbers: readonly number[],
): readonly number[] | undefined {
  if (!numbers.includes(inZip64.long)) return numbers
  for (let offset = from; offset + 4 <= to; offset += 4 + view.getUint16(offset + 2, true)) {
    if (view.getUint16(offset, true) !== extraId) continue
    const end = Math.min(to, offset + 4 + view.getUint16(offset + 2, true))
    let next = offset + 4
    const read: number[] = []
    for (const number of numbers) {
      if (number !== inZip64.long) {
        read.push(number)
        continue
      }
      const long = next + 8 <= end ? wholeNumber(view, next) : undefined
      if (long === undefined) return undefined
      read.push(long)
      next += 8
    }
    return read
  }
  return undefined
}

function wholeNumber(view: DataView, offset: number): number | undefined {
  const number = Number(view.getBigUint64(offset, true))
  return Number.isSafeInteger(number) ? number : undefined
}
