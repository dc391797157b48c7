import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Writes `<folder>/fonts.conf`: fonts of the operator precede those of the system, and the aliases are those of the
 * system.
 */
export async function writeFontConfig(folder: string, fontsDir: string | undefined): Promise<string> {
  const path = join(folder, 'fonts.conf')
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
    '<fontconfig>',
    ...(fontsDir === undefined ? [] : [`<dir>${escaped(fontsDir)}</dir>`]),
    `<cachedir>${escaped(join(folder, 'font-index'))}</cachedir>`,
    '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>',
    '</fontconfig>',
    '',
  ]
  await writeFile(path, lines.join('\n'))
  return path
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
