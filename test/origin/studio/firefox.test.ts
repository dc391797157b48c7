import type { ElementHandle } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Target } from '../../contract/http/client.ts'
import { type StartedBrowser, startFirefox } from '../../helpers/browser.ts'
import { originTarget } from '../../helpers/origin-target.ts'
import { type Driven, openPage, studioTimeout as timeout } from '../../helpers/studio-page.ts'

const letter = 'test/fixtures/templates/letter/template.docx'
const root = `document.querySelector('platen-studio').shadowRoot`

/** What does not come from the engine of a browser is tested with Chromium alone; this file walks the studio once. */
describe('the studio in Firefox', () => {
  let target: Target
  let firefox: StartedBrowser
  let studio: Driven
  beforeAll(async () => {
    target = await originTarget({ studio: true })
    firefox = await startFirefox()
    studio = await openPage(await firefox.browser.newPage())
    await studio.page.goto(target.url)
  }, timeout)
  afterAll(async () => {
    await firefox?.stop()
    await target?.stop()
  })
  const value = (selector: string) =>
    studio.page.evaluate(`${root}.querySelector(${JSON.stringify(selector)}).value`)

  it('opens a file and draws its pages again as data are typed', async () => {
    await studio.call(`setRenderOptions({ converter: 'I' })`)
    const chooser = await studio.page.waitForSelector('>>> input[type=file]')
    await (chooser as ElementHandle<never>).uploadFile(letter)
    await studio.rendered()
    const drawings = `Number(${root}.querySelector('.page').dataset.drawn ?? 0)`
    const drawn = Number(await studio.page.evaluate(drawings))
    await studio.page.locator('>>> .data-panel textarea').fill('{ "customer": { "name": "Bartholomew" } }')
    await expect.poll(() => studio.page.evaluate(drawings), { timeout }).toBeGreaterThan(drawn)
    await studio.rendered()
    expect(await studio.call('getRenderOptions()')).toMatchObject({
      data: { customer: { name: 'Bartholomew' } },
    })
  })

  it('a form and the JSON show the same data', async () => {
    await studio.click('button[data-name=form]')
    const field = '.data-form input[type=text], .data-form textarea'
    await studio.page.locator(`>>> ${field}`).fill('Typed')
    await studio.click('button[data-name=data]')
    await expect.poll(() => value('.data-panel textarea'), { timeout }).toContain('Typed')
  })

  it('saves it, and lists the errors of another one', async () => {
    await studio.click('header .primary')
    await studio.page.locator('>>> dialog [name=name]').fill('Letter')
    await studio.click('dialog .primary')
    await studio.last('template:saved')
    const uri = `data:text/html;base64,${Buffer.from('<p>{d.name:nothing}</p>').toString('base64')}`
    await studio.call(`openTemplateDataURI('${uri}', 'broken.html')`).catch(() => undefined)
    await expect.poll(() => studio.text('.problems'), { timeout }).toContain('nothing')
  })

  it('makes a batch of a list in the data, with its progress, and offers it for download', async () => {
    const uri = `data:text/html;base64,${Buffer.from('<p>{d.name}</p>').toString('base64')}`
    await studio.call(`setRenderOptions({ data: { people: [{ name: 'Ann' }, { name: 'Bob' }] } })`)
    await studio.call(`openTemplateDataURI('${uri}', 'letter.html')`)
    await studio.click('button[data-name=batch]')
    await studio.click('.batch .primary')
    await expect.poll(() => studio.text('.batch [role=status]'), { timeout }).toBe('2 documents made.')
    expect(await studio.text('.batch button')).toContain('Download')
  })

  it('everybody can use it: axe-core finds nothing', async () => {
    expect(await studio.violations()).toEqual([])
    expect(studio.breaches).toEqual([])
    expect([...studio.called].filter((origin) => origin !== 'null')).toEqual([target.url])
  })
})
