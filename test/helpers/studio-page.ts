import { readFileSync } from 'node:fs'
import type { ElementHandle, Page } from 'puppeteer-core'
import { expect } from 'vitest'
import { docxOf, paragraph } from './docx.ts'

/** The studio in a page of a browser, as tests drive it. */

export const studioTimeout = 120_000
const eventTypes = [
  'connected',
  'disconnected',
  'options:updated',
  'template:loaded',
  'template:updated',
  'template:saved',
]

const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

export type Detail = Readonly<Record<string, unknown>> & { readonly dataURI?: string }
export interface Told {
  readonly type: string
  readonly detail: Detail
}

/** Stores a template with a version of each text, one after another. Returns its Template ID. */
export async function versionsOf(url: string, texts: readonly string[]): Promise<string> {
  let id = ''
  for (const text of texts) {
    const template = Buffer.from(await docxOf(paragraph(text))).toString('base64')
    const answer = await fetch(`${url}/template`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ template, versioning: true, ...(id !== '' && { id }) }),
    })
    id = ((await answer.json()) as { readonly data: { readonly id: string } }).data.id
  }
  return id
}

/** A page that notes every event of the studio, every breach of its rules and every address that it calls. */
export async function openPage(page: Page) {
  const reported: Told[] = []
  const breaches: string[] = []
  const called = new Set<string>()
  page.setDefaultTimeout(studioTimeout)
  await page.setViewport({ width: 1400, height: 900 })
  page.on('request', (request) => called.add(new URL(request.url()).origin))
  await page.exposeFunction('tell', (type: string, detail: Detail) => void reported.push({ type, detail }))
  await page.exposeFunction('breach', (what: string) => void breaches.push(what))
  await page.evaluateOnNewDocument(`
    for (const type of ${JSON.stringify(eventTypes)}) document.addEventListener(type, (event) => tell(type, event.detail))
    document.addEventListener('securitypolicyviolation', (event) => breach(event.violatedDirective + ' ' + event.blockedURI))
  `)
  const find = async (selector: string): Promise<ElementHandle> =>
    (await page.waitForSelector(`>>> ${selector}`, { visible: true }))!
  const text = (selector: string) =>
    page.evaluate(
      `[...document.querySelector('platen-studio').shadowRoot.querySelectorAll(${JSON.stringify(selector)})].filter((one) => one.checkVisibility()).map((one) => one.innerText).join('\\n')`,
    ) as Promise<string>
  return {
    page,
    reported,
    breaches,
    called,
    find,
    text,
    async click(selector: string): Promise<void> {
      // A dialog that is about to close would take the click, and so would a list that is drawn anew: a locator waits
      // until its element no longer moves.
      if (!selector.startsWith('dialog'))
        await expect.poll(() => text('dialog'), { timeout: studioTimeout }).toBe('')
      await page.locator(`>>> ${selector}`).click()
    },
    /**
     * Gives an element the focus. A list that is drawn anew between finding its row and focusing it would leave the
     * focus nowhere, so both happen in one step of the page, and are repeated until the row has it.
     */
    async focus(selector: string): Promise<void> {
      const has = () =>
        page.evaluate(`(() => {
          const row = document.querySelector('platen-studio').shadowRoot.querySelector(${JSON.stringify(selector)})
          row?.focus()
          return row !== null && row.getRootNode().activeElement === row
        })()`)
      await expect.poll(has, { timeout: studioTimeout }).toBe(true)
    },
    async type(selector: string, words: string): Promise<void> {
      const field = await find(selector)
      await field.focus()
      await page.keyboard.down('Control')
      await page.keyboard.press('a')
      await page.keyboard.up('Control')
      // As one paste: typing letter by letter would be drawn letter by letter.
      await page.keyboard.sendCharacter(words)
    },
    /** Runs `studio.<code>` in the page. */
    call: <T = unknown>(code: string) =>
      page.evaluate(
        `(async () => { const studio = document.querySelector('platen-studio'); return await studio.${code} })()`,
      ) as Promise<T>,
    /** The last event of a type, once there is one behind those that were there `since`. */
    async last(type: string, since = 0): Promise<Detail> {
      const found = () => reported.filter((one) => one.type === type)
      await expect.poll(() => found().length, { timeout: studioTimeout }).toBeGreaterThan(since)
      return found().at(-1)!.detail
    },
    /** What keeps somebody from using what is on show, as axe-core finds it. */
    async violations(): Promise<readonly string[]> {
      if (await page.evaluate(`typeof globalThis.axe === 'undefined'`)) await page.evaluate(axe)
      const found =
        await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target, failureSummary }) => target.join(' ') + ' ' + failureSummary).join(' | ')))`)
      return found as readonly string[]
    },
    count: (type: string) => reported.filter((one) => one.type === type).length,
    /** Once the preview on show is one of what is there now. */
    rendered: () =>
      expect.poll(() => text('.status'), { timeout: studioTimeout, interval: 50 }).toMatch(/ made .*in /),
  }
}
export type Driven = Awaited<ReturnType<typeof openPage>>
