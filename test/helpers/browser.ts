import { rmSync } from 'node:fs'
import puppeteer, { type Browser, type LaunchOptions } from 'puppeteer-core'
import { temporaryFolder } from './temporary-folder.ts'

export interface StartedBrowser {
  readonly browser: Browser
  stop(): Promise<void>
}

/** The Chromium of this machine as a user has it, with a profile of its own. */
export const startBrowser = (): Promise<StartedBrowser> =>
  start({
    executablePath: '/usr/bin/chromium',
    args: [
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })

/** The Firefox of this machine, which is driven by WebDriver BiDi. */
export const startFirefox = (): Promise<StartedBrowser> =>
  start({ browser: 'firefox', executablePath: '/usr/bin/firefox-esr' })

async function start(options: LaunchOptions): Promise<StartedBrowser> {
  const folder = temporaryFolder('platen-browser')
  const browser = await puppeteer.launch({
    ...options,
    userDataDir: folder,
    env: { ...process.env, HOME: folder },
    timeout: 120_000,
  })
  return {
    browser,
    async stop() {
      await browser.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}
