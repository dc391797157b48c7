import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folders in which the operating system keeps fonts. They may not exist. */
export function systemFontFolders(platform: NodeJS.Platform = process.platform, home = homedir()): string[] {
  if (platform === 'darwin') {
    return ['/System/Library/Fonts', '/Library/Fonts', join(home, 'Library/Fonts')]
  }
  if (platform === 'win32') {
    return ['C:\\Windows\\Fonts', join(home, 'AppData\\Local\\Microsoft\\Windows\\Fonts')]
  }
  return [
    '/usr/share/fonts',
    '/usr/local/share/fonts',
    '/usr/share/texmf/fonts/opentype', // TeX Gyre
    join(home, '.local/share/fonts'),
    join(home, '.fonts'),
  ]
}
