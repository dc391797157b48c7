/** What a user may do without the permission password. */
export interface Permissions {
  readonly changes: 0 | 1 | 2 | 3 | 4
  readonly printing: 0 | 1 | 2
  readonly copying: boolean
  readonly accessibility: boolean
}

export const allPermissions: Permissions = { changes: 4, printing: 2, copying: true, accessibility: true }

const bit = (position: number): number => 1 << (position - 1)
const modify = bit(4)
const annotate = bit(6)
const fillForms = bit(9)
const assemble = bit(11)
const printLow = bit(3)
const printHigh = bit(12)
/** Reserved bits: positions 1 and 2 are 0; 7, 8 and all from 13 on are 1. */
const reserved = bit(7) | bit(8) | ~0xfff

const changes = [
  0,
  assemble, // insert, delete, rotate pages
  fillForms,
  annotate | fillForms,
  modify | annotate | fillForms | assemble, // extracting pages is copying
] as const
const printing = [0, printLow, printLow | printHigh] as const

/** The signed 32-bit number of /P. ISO 32000-2, table 22. */
export function permissionBits(granted: Permissions): number {
  return (
    reserved |
    changes[granted.changes] |
    printing[granted.printing] |
    (granted.copying ? bit(5) : 0) |
    (granted.accessibility ? bit(10) : 0)
  )
}
