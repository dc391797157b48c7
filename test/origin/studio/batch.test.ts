import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import type { ElementHandle } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Target } from '../../contract/http/client.ts'
import { type StartedBrowser, startBrowser } from '../../helpers/browser.ts'
import { originTarget } from '../../helpers/origin-target.ts'
import { type Driven, openPage, studioTimeout } from '../../helpers/studio-page.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** Shorter than the time of a test, so that a poll that fails says what it saw. */
const timeout = studioTimeout / 2
const root = `document.querySelector('platen-studio').shadowRoot`
const data = { title: 'T', people: [{ name: 'Ann' }, { name: 'Bob' }, { name: 'Cid' }] }

/** Batches in the studio: from the data on show and from files, with their progress, as a download. */
describe('a batch in the studio', () => {
  let target: Target
  let chromium: StartedBrowser
  let studio: Driven
  const folder = temporaryFolder('studio-batch')

  beforeAll(async () => {
    target = await originTarget({ studio: true })
    chromium = await startBrowser()
    studio = await openPage(await (await chromium.browser.createBrowserContext()).newPage())
    await studio.page.goto(target.url)
  }, studioTimeout)
  afterAll(async () => {
    await chromium?.stop()
    await target?.stop()
  })

  const note = () => studio.text('.batch [role=status]')
  const saved = () => studio.page.evaluate('saved') as Promise<readonly string[]>
  const downloaded = async (count: number) => {
    await expect.poll(async () => (await saved()).length, { timeout }).toBe(count)
    return new Uint8Array(Buffer.from((await saved())[count - 1] ?? '', 'base64'))
  }
  const textsOf = (zip: Uint8Array) =>
    Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, /Dear \w+/.exec(strFromU8(bytes))?.[0]])
  const choose = async (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    const chooser = await studio.find('.batch input[type=file]')
    await (chooser as ElementHandle<never>).uploadFile(join(folder, name))
  }

  it(
    'makes a document for each item of a list in the data, by keyboard alone',
    async () => {
      await studio.call(`setRenderOptions(${JSON.stringify({ data, convertTo: 'html' })})`)
      const template = Buffer.from('<p>Dear {d.name}</p>').toString('base64')
      await studio.call(`openTemplateDataURI('data:text/html;base64,${template}', 'letter.html')`)
      await studio.rendered()
      await studio.click('button[data-name=batch]')
      // What the page lets the browser save, as base64.
      await studio.page.evaluate(`
        window.saved = []
        const original = URL.createObjectURL
        URL.createObjectURL = (blob) => {
          if (blob.type === 'application/zip' || blob.type === 'application/pdf')
            blob.arrayBuffer().then((buffer) => saved.push(btoa(String.fromCharCode(...new Uint8Array(buffer)))))
          return original.call(URL, blob)
        }`)
      await expect.poll(() => studio.text('.batch select'), { timeout }).toContain('people (3 items)')
      await studio.type('.batch [name=batchReportName]', 'for-{d.name}')
      await studio.page.keyboard.press('Enter')
      await expect.poll(note, { timeout }).toBe('3 documents made.')
      // The download has the focus now.
      const focused = `${root}.activeElement.textContent`
      await expect.poll(() => studio.page.evaluate(focused), { timeout }).toBe('Download')
      await studio.page.keyboard.press('Enter')
      expect(textsOf(await downloaded(1))).toEqual([
        ['for-Ann.html', 'Dear Ann'],
        ['for-Bob.html', 'Dear Bob'],
        ['for-Cid.html', 'Dear Cid'],
      ])
    },
    studioTimeout,
  )

  it(
    'reads items from a file with one object on each line, and reports the line that is wrong',
    async () => {
      await choose('broken.ndjson', '{"name":"Eve"}\n{"name":}\n')
      await expect
        .poll(() => studio.text('.batch [role=alert]'), { timeout })
        .toMatch(/broken\.ndjson: Line 2, column 9/)
      await choose('people.ndjson', Array.from({ length: 20 }, (_, at) => `{"name":"N${at}"}\n`).join(''))
      await expect.poll(() => studio.text('.batch select'), { timeout }).toContain('people.ndjson (20 items)')
      expect(await studio.text('.batch [role=alert]')).toBe('')
      await studio.page.evaluate(`
      window.shown = []
      const bar = ${root}.querySelector('.batch progress')
      new MutationObserver(() => bar.hidden || shown.push(bar.value)).observe(bar, { attributes: true })`)
      await studio.click('.batch .primary')
      await expect.poll(note, { timeout }).toBe('20 documents made.')
      // The bar was seen while they were made.
      expect(await studio.page.evaluate('shown.length > 0')).toBe(true)
      await studio.click('[data-key="download batch"]')
      expect(textsOf(await downloaded(2)).at(-1)?.[1]).toBe('Dear N19')
    },
    studioTimeout,
  )

  it(
    'joins PDFs, and shows why a batch failed',
    async () => {
      await studio.call(`setRenderOptions({ convertTo: 'pdf', converter: 'I' })`)
      await studio.click('.batch .tick:has(input)')
      expect(await studio.text('.batch')).not.toContain('Name of each file')
      await studio.click('.batch .primary')
      await expect.poll(note, { timeout }).toBe('20 documents made.')
      await studio.click('[data-key="download batch"]')
      expect(strFromU8((await downloaded(3)).subarray(0, 5))).toBe('%PDF-')
      await choose('many.json', JSON.stringify(Array.from({ length: 101 }, () => ({ name: 'x' }))))
      await expect.poll(() => studio.text('.batch select'), { timeout }).toContain('many.json (101 items)')
      await studio.click('.batch .primary')
      await expect.poll(() => studio.text('.batch [role=alert]'), { timeout }).toContain('100')
    },
    studioTimeout,
  )

  it('axe-core finds no violation, and nothing breaks the policy of the page', async () => {
    expect(await studio.violations()).toEqual([])
    expect(studio.breaches).toEqual([])
  })
})
