import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type Browser } from 'puppeteer-core'

/** The Chromium of this machine as a user has it, with a profile of its own. */
export async function startBrowser(): Promise<{ readonly browser: Browser; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-browser-'))
  const browser = await puppeteer.launch({
    executablePath: '/usr/bin/chromium',
    userDataDir: folder,
    env: { ...process.env, HOME: folder },
    args: [
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })
  return {
    browser,
    async stop() {
      await browser.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}
