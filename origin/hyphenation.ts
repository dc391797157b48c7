import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The folders in which Linux distributions install the hyphenation dictionaries of office programs. */
export const systemHyphenation: readonly string[] = ['/usr/share/hyphen', '/usr/local/share/hyphen']
const shipped = new URL('../plugins/engines/instant/assets/hyphenation/', import.meta.url)

/**
 * Returns a function that reads hyphenation files by name. 'hyphenation/de_DE.dic' is a dictionary in the
 * format of office programs; it is looked up in `hyphenation/` of the data folder, then in `folders`.
 * 'hyphenation/de.bin' holds the patterns that ship with the product. The function resolves to undefined when
 * there is no such file.
 */
export function machineHyphenation(
  dataDir: string,
  folders = systemHyphenation,
): (name: string) => Promise<Uint8Array | undefined> {
  return async (name: string): Promise<Uint8Array | undefined> => {
    const match = /^hyphenation\/(\w+)\.(dic|bin)$/.exec(name)
    if (match === null) return undefined
    const [, language, kind] = match
    const candidates =
      kind === 'bin'
        ? [new URL(`${language}.bin`, shipped)]
        : [join(dataDir, 'hyphenation'), ...folders].map((folder) => join(folder, `hyph_${language}.dic`))
    for (const candidate of candidates) {
      const bytes = await readFile(candidate).catch(() => undefined)
      if (bytes !== undefined) return bytes
    }
    return undefined
  }
}
