import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where office programs of this system find their dictionaries. */
export const systemHyphenation: readonly string[] = ['/usr/share/hyphen', '/usr/local/share/hyphen']
const shipped = new URL('../plugins/engines/instant/assets/hyphenation/', import.meta.url)

/**
 * Hyphenation files by name: 'hyphenation/de_DE.dic' is a dictionary as office programs know it, from `hyphenation/` in the
 * data folder or of the system, 'hyphenation/de.bin' the patterns that ship.
 */
export function machineHyphenation(
  dataDir: string,
  folders = systemHyphenation,
): (name: string) => Promise<Uint8Array | undefined> {
  return async (name: string): Promise<Uint8Array | undefined> => {
    const match = /^hyphenation\/(\w+)\.(dic|bin)$/.exec(name)
    if (match === null) return undefined
    const [, language, kind] = match
    const places =
      kind === 'bin'
        ? [new URL(`${language}.bin`, shipped)]
        : [join(dataDir, 'hyphenation'), ...folders].map((folder) => join(folder, `hyph_${language}.dic`))
    for (const place of places) {
      const bytes = await readFile(place).catch(() => undefined)
      if (bytes !== undefined) return bytes
    }
    return undefined
  }
}
