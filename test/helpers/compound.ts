/** Compound files ([MS-CFB]) made from their streams, and records of workbooks ([MS-XLS]) to put into them. */

const sector = 512
const [endOfChain, tableSector, listSector, unused] = [0xfffffffe, 0xfffffffd, 0xfffffffc, 0xffffffff]

/**
 * Every stream takes whole sectors of the file. The directory begins before them and ends behind them: each of its
 * sectors has four entries, of which the first is the root. Streams stand in it in the order that is given.
 */
export function compoundOf(streams: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const names = Object.keys(streams)
  // What is shorter would lie in sectors of another kind.
  const contents = Object.values(streams).map((bytes) => padded(bytes, Math.max(4_096, bytes.length)))
  const counts = contents.map((bytes) => bytes.length / sector)
  const farDirectory = Math.ceil((1 + names.length) / 4) - 1
  const used = counts.reduce((sum, count) => sum + count, 1 + farDirectory)
  // One sector in 127 more than needed is for the sectors that list the tables.
  const tables = Math.ceil(used / (sector / 4 - 1 - 1 / 127))
  const tableLists = Math.max(0, Math.ceil((tables - 109) / 127))
  const starts = counts.map(
    (_, at) => tables + 1 + counts.slice(0, at).reduce((sum, count) => sum + count, 0),
  )
  const far = tables + used - farDirectory
  const firstList = tables + used
  const file = new Uint8Array(sector * (1 + tables + used + tableLists))
  const view = new DataView(file.buffer)
  file.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  const shorts = [
    [24, 0x3e],
    [26, 3],
    [28, 0xfffe],
    [30, 9],
    [32, 6],
  ] as const
  for (const [at, value] of shorts) view.setUint16(at, value, true)
  const longs = [
    [44, tables],
    [48, tables],
    [56, 4_096],
    [60, endOfChain],
    [68, tableLists > 0 ? firstList : endOfChain],
    [72, tableLists],
  ] as const
  for (const [at, value] of longs) view.setUint32(at, value, true)
  for (let n = 0; n < 109; n++) view.setUint32(76 + 4 * n, n < tables ? n : unused, true)
  for (let list = 0; list < tableLists; list++) {
    const at = sector * (1 + firstList + list)
    for (let n = 0; n < 127; n++) {
      const table = 109 + 127 * list + n
      view.setUint32(at + 4 * n, table < tables ? table : unused, true)
    }
    view.setUint32(at + 508, list + 1 < tableLists ? firstList + list + 1 : endOfChain, true)
  }
  const next = (number: number, value: number) => view.setUint32(sector + 4 * number, value, true)
  for (let n = 0; n < (tables * sector) / 4; n++) next(n, unused)
  for (let n = 0; n < tables; n++) next(n, tableSector)
  for (let n = 0; n < tableLists; n++) next(firstList + n, listSector)
  next(tables, farDirectory > 0 ? far : endOfChain)
  for (let n = 0; n < farDirectory; n++) next(far + n, n + 1 < farDirectory ? far + n + 1 : endOfChain)
  writeEntry(view, 0, { name: 'Root Entry', kind: 5, right: unused, child: 1, start: endOfChain, size: 0 })
  contents.forEach((bytes, at) => {
    const start = starts[at] ?? 0
    for (let n = 0; n < bytes.length / sector; n++)
      next(start + n, (n + 1) * sector < bytes.length ? start + n + 1 : endOfChain)
    file.set(bytes, sector * (1 + start))
    const right = at + 1 < names.length ? at + 2 : unused
    const name = names[at] ?? ''
    writeEntry(view, at + 1, { name, kind: 2, right, child: unused, start, size: bytes.length })
  })
  return file

  function writeEntry(
    to: DataView,
    number: number,
    entry: { name: string; kind: number; right: number; child: number; start: number; size: number },
  ): void {
    const place = number < 4 ? tables : far + Math.floor(number / 4) - 1
    const at = sector * (1 + place) + 128 * (number % 4)
    new Uint8Array(to.buffer).set(wide(entry.name), at)
    to.setUint16(at + 64, 2 * entry.name.length + 2, true)
    to.setUint8(at + 66, entry.kind)
    to.setUint8(at + 67, 1)
    to.setUint32(at + 68, unused, true)
    to.setUint32(at + 72, entry.right, true)
    to.setUint32(at + 76, entry.child, true)
    to.setUint32(at + 116, entry.start, true)
    to.setUint32(at + 120, entry.size, true)
  }
}

function padded(bytes: Uint8Array, least: number): Uint8Array {
  const out = new Uint8Array(Math.ceil(least / sector) * sector)
  out.set(bytes)
  return out
}

export const u16 = (...values: readonly number[]): number[] =>
  values.flatMap((value) => [value & 0xff, (value >> 8) & 0xff])
export const u32 = (value: number): number[] => [...u16(value & 0xffff), ...u16(value >>> 16)]
const double = (value: number): number[] => [...new Uint8Array(new Float64Array([value]).buffer)]
export const latin = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0))
export const wide = (text: string): number[] => [...text].flatMap((letter) => u16(letter.charCodeAt(0)))

export const record = (id: number, ...content: readonly number[]): number[] => [
  ...u16(id, content.length),
  ...content,
]

/** A workbook of one sheet, whose first cell shows 5678 and refers to another workbook. `path`: as it is encoded there. */
export function xlsWithBook(path: string): Uint8Array {
  const globals = (sheetAt: number) => [
    ...record(0x0809, ...u16(0x0600, 0x0005, 0x0dbb, 0x07cc), ...u32(0), ...u32(6)),
    ...record(0x0085, ...u32(sheetAt), ...u16(0), 1, 0, ...latin('S')),
    ...record(0x01ae, ...u16(1, path.length), 0, ...latin(path), ...u16(1), 0, ...latin('T')),
    ...record(0x0059, ...u16(1, 0)),
    ...record(0x005a, 0, 0, ...u16(0), 1, ...double(5678)),
    ...record(0x0017, ...u16(1, 0, 0, 0)),
    ...record(0x000a),
  ]
  const sheet = [
    ...record(0x0809, ...u16(0x0600, 0x0010, 0x0dbb, 0x07cc), ...u32(0), ...u32(6)),
    ...record(0x0200, ...u32(0), ...u32(1), ...u16(0, 1, 0)),
    ...record(
      0x0006,
      ...u16(0, 0, 0),
      ...double(5678),
      ...u16(0),
      ...u32(0),
      ...u16(7),
      0x3a,
      ...u16(0, 0, 0),
    ),
    ...record(0x000a),
  ]
  return compoundOf({ Workbook: Uint8Array.from([...globals(globals(0).length), ...sheet]) })
}
/** The path of an address ([MS-XLS] 2.5.277): encoded, as a volume of a length of its own. */
export const encodedAddress = (address: string): string =>
  `\u0001\u0005${String.fromCharCode(address.length)}${address}`
