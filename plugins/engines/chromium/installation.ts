/**
 * Finds Chromium on this machine. Nothing is ever downloaded. The headless shell comes first: the same engine
 * without a window, which takes less than half of the time for a page (docs/decisions/engines-browser.md).
 */
import { access, constants, realpath } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'

export type BrowserSearch =
  | { readonly kind: 'found'; readonly program: string }
  | { readonly kind: 'none'; readonly because: string }

const names = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
]
const paths = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export async function findBrowser(configured: string | undefined): Promise<BrowserSearch> {
  if (configured !== undefined) {
    return (await isProgram(configured))
      ? { kind: 'found', program: configured }
      : { kind: 'none', because: 'Chromium is not at the configured path' }
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const candidates = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...paths]
  for (const candidate of candidates) {
    if (!(await isProgram(candidate))) continue
    return { kind: 'found', program: await realProgram(candidate) }
  }
  return { kind: 'none', because: 'Chromium is not installed' }
}

/** Debian starts the browser by a script that adds flags of the machine; this runs the program without them. */
async function realProgram(program: string): Promise<string> {
  const real = await realpath(program)
  const debian = join(dirname(dirname(real)), 'lib', 'chromium', basename(real))
  return (await isProgram(debian)) ? debian : real
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
