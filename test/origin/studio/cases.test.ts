import { mkdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Target } from '../../contract/http/client.ts'
import { startBrowser } from '../../helpers/browser.ts'
import { docxOf, paragraph } from '../../helpers/docx.ts'
import { originTarget } from '../../helpers/origin-target.ts'
import { type Driven, openPage, studioTimeout as timeout, versionsOf } from '../../helpers/studio-page.ts'

/** Cases, details and insert helpers of the studio, and whether everybody can use each of its views. */

describe('cases of a template in the studio', () => {
  let target: Target
  let chromium: Awaited<ReturnType<typeof startBrowser>>
  let studio: Driven
  let id = ''
  const panel = '.cases'
  const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')
  const post = async (path: string, body: object) =>
    (
      await fetch(`${target.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json()
  const get = async (path: string) =>
    (await (await fetch(`${target.url}${path}`)).json()) as { readonly data: unknown }
  const storedCases = async () =>
    ((await get(`/template/${id}/checks`)).data as { readonly cases: readonly unknown[] }).cases

  beforeAll(async () => {
    target = await originTarget({ studio: true })
    chromium = await startBrowser()
    studio = await openPage(await (await chromium.browser.createBrowserContext()).newPage())
    await studio.page.goto(target.url)
    id = await versionsOf(target.url, ['Dear {d.name}'])
    await studio.call(`setRenderOptions({ converter: 'I', data: { name: 'Ann' }, convertTo: 'pdf' })`)
  })
  afterAll(async () => {
    await chromium?.stop()
    await target?.stop()
  })

  it('records a case from the current data, with pages and their appearance', async () => {
    await studio.call(`openTemplateId('${id}')`)
    await studio.rendered()
    await studio.click('button[data-name=cases]')
    await studio.click('.panel:not([hidden]) .list-actions button:not([data-key])')
    await studio.type('dialog [name=case]', 'Ann')
    await studio.type('dialog [name=texts]', 'Dear Ann')
    await studio.click('dialog .primary')
    await expect.poll(() => studio.text(panel), { timeout }).toMatch(/Ann[\s\S]*passes/)
    expect(await studio.text(panel)).toContain('Expects “Dear Ann”, 1 page, the appearance of page 1.')
    const [recorded] = await storedCases()
    expect(recorded).toEqual({
      name: 'Ann',
      request: { converter: 'I', data: { name: 'Ann' }, convertTo: 'pdf' },
      expect: { contains: ['Dear Ann'], pages: 1, pictures: [{ page: 1, png: expect.any(String) }] },
    })
  })
  it('puts the data of a case into the editor, and asks before they replace typed data', async () => {
    await studio.call(`setRenderOptions({ data: { name: 'Bob' } })`)
    await studio.click('[data-key="use Ann"]')
    expect(await studio.text('dialog')).toContain('The data of “Ann” replace what you typed.')
    expect(await studio.violations()).toEqual([])
    await studio.click('dialog .primary')
    const said = () => studio.text('.panel:not([hidden]) > [role=status]')
    await expect.poll(said, { timeout }).toBe('The data of “Ann” are in use.')
    const typed = `document.querySelector('platen-studio').shadowRoot.querySelector('.data-panel textarea').value`
    expect(JSON.parse((await studio.page.evaluate(typed)) as string)).toEqual({ name: 'Ann' })
    // Typed once more, they stay with the templates that are opened later.
    await studio.call(`setRenderOptions({ data: { name: 'Ann' } })`)
  })
  it('runs them with the template as it is now, and shows what differs side by side', async () => {
    const changed = base64(await docxOf(paragraph('Good day {d.name}, how do you do?')))
    await post('/template', { template: changed, id })
    await studio.call(`openTemplateId('${id}')`)
    await studio.rendered()
    await studio.click('button[data-name=cases]')
    await studio.click('[data-key="run Ann"]')
    await expect.poll(() => studio.text(panel), { timeout }).toContain('fails')
    const text = await studio.text(panel)
    expect(text).toContain('The document lacks "Dear Ann".')
    expect(text).toContain('Good day Ann, how do you do?')
    expect(text).toMatch(/Page 1 looks different: [\d.]+ % of it changed/)
    expect(await studio.text('.looks figcaption')).toBe('Page 1 as recorded\nPage 1 as it looks now')
  })
  it('accepts the new appearance', async () => {
    await studio.click('[data-key="accept Ann"]')
    await expect.poll(() => studio.text(panel), { timeout }).not.toContain('looks different')
    expect(await studio.text(panel)).toContain('The document lacks "Dear Ann".')
  })
  it('changes the details of a version without a new one', async () => {
    await studio.click('button[data-name=versions]')
    await studio.click('.panel:not([hidden]) .list-actions button:first-child')
    await studio.type('dialog [name=name]', 'greeting')
    await studio.type('dialog [name=category]', 'letters')
    await studio.type('dialog [name=tags]', 'b, a')
    await studio.click('dialog .primary')
    await expect.poll(() => studio.text('h1'), { timeout }).toBe('greeting')
    const { data } = await get(`/templates?id=${id}&includeVersions=true`)
    expect(data).toMatchObject([{ name: 'greeting', category: 'letters', tags: ['a', 'b'] }, {}])
  })

  describe('axe-core finds no violation in any view', () => {
    const pictures = process.env['STUDIO_PICTURES']
    const sizes = [
      ['wide', 1400, 900],
      ['as a phone', 390, 800],
    ] as const
    const looks = sizes.flatMap(([size, width, height]) =>
      (['light', 'dark'] as const).map((theme) => ({ size, width, height, theme })),
    )
    /** Dialogs, the tab that has the button which opens each, and the button. */
    const actions = '.panel:not([hidden]) .list-actions button'
    const dialogs = [
      ['save', 'versions', 'header .primary'],
      ['details', 'versions', `${actions}:first-child`],
      ['delete-template', 'versions', `${actions}:last-child`],
      ['compare', 'versions', '[data-key^="compare "]'],
      ['record', 'cases', `${actions}:not([data-key])`],
      ['delete-case', 'cases', '[data-key="delete Ann"]'],
    ] as const
    it.each(looks)('$size, $theme', async ({ size, width, height, theme }) => {
      await studio.page.setViewport({ width, height })
      await studio.call(`setConfig({ mode: 'standalone', theme: '${theme}' })`)
      const seen: string[] = []
      const look = async (view: string) => {
        const found = await studio.violations()
        seen.push(...found.map((one) => `${view}: ${one}`))
        if (pictures === undefined) return
        mkdirSync(pictures, { recursive: true })
        await studio.page.screenshot({
          path: `${pictures}/${size.replaceAll(' ', '-')}-${theme}-${view}.png`,
        })
      }
      const isNarrow = width < 600
      const part = async (label: string) => {
        if (isNarrow)
          await studio.click(
            `.switch button:nth-child(${['Templates', 'Data', 'Preview'].indexOf(label) + 1})`,
          )
      }
      await part('Templates')
      await look('library')
      await part('Preview')
      await look('preview')
      await part('Data')
      for (const tab of ['data', 'form', 'options', 'fields', 'versions', 'cases']) {
        await studio.click(`button[data-name=${tab}]`)
        await look(tab)
      }
      // A dialog has the size of its contents and the colours of its theme: the other looks have seen both.
      if (isNarrow && theme === 'dark') return void expect(seen).toEqual([])
      for (const [dialog, tab, opener] of dialogs) {
        await studio.click(`button[data-name=${tab}]`)
        await studio.click(opener)
        await studio.find('dialog')
        await expect.poll(() => studio.text('dialog'), { timeout }).not.toContain('Comparing…')
        await look(dialog)
        await studio.click('dialog .buttons button:first-child')
      }
      await studio.page.evaluate(`(() => {
        const send = fetch
        globalThis.fetch = async () => {
          globalThis.fetch = send
          return new Response('{}', { status: 401 })
        }
      })()`)
      await studio.click('[data-key="run Ann"]')
      await studio.find('dialog [name=token]')
      await look('token')
      await studio.click('dialog .buttons button:first-child')
      expect(seen).toEqual([])
    })
  })

  it('deletes a case, and the template, after a question', async () => {
    await studio.page.setViewport({ width: 1400, height: 900 })
    await studio.click('button[data-name=cases]')
    await studio.click('[data-key="delete Ann"]')
    await studio.click('dialog .primary')
    await expect.poll(() => storedCases(), { timeout }).toEqual([])
    await studio.click('button[data-name=versions]')
    await studio.click('.panel:not([hidden]) .list-actions button:last-child')
    expect(await studio.text('dialog')).toContain('“greeting” and its 2 versions cannot be restored.')
    await studio.click('dialog .primary')
    await expect.poll(() => studio.text('.welcome h2'), { timeout }).toBe('Drop a template here')
    expect((await fetch(`${target.url}/template/${id}`)).status).toBe(404)
  })
  it('a field is inserted where the text of the template has the cursor', async () => {
    const uri = `data:text/html;base64,${base64('<p>Dear {d.name}, </p>')}`
    await studio.call(`openTemplateDataURI('${uri}', 'letter.html')`)
    await studio.click('button[data-name=text]')
    await studio.page.evaluate(`(() => {
      const area = document.querySelector('platen-studio').shadowRoot.querySelector('[aria-label="Text of the template"]')
      area.focus()
      area.setSelectionRange(17, 17)
    })()`)
    await studio.click('button[data-name=fields]')
    await studio.click('.fields button')
    const text = `document.querySelector('platen-studio').shadowRoot.querySelector('[aria-label="Text of the template"]').value`
    expect(await studio.page.evaluate(text)).toBe('<p>Dear {d.name},{d.name} </p>')
  })

  it('a field is dragged over the tab of the template into its text', async () => {
    await studio.call(
      `openTemplateDataURI('data:text/html;base64,${base64('<p>{d.name}</p>')}', 'letter.html')`,
    )
    const { mouse } = studio.page
    const moveTo = async (selector: string, steps: number) => {
      const box = (await (await studio.find(selector)).boundingBox())!
      await mouse.move(box.x + 40, box.y + 10, { steps })
    }
    await studio.click('button[data-name=fields]')
    await moveTo('.fields .row', 1)
    await mouse.down()
    await moveTo('button[data-name=text]', 6)
    await moveTo('[aria-label="Text of the template"]', 6)
    await mouse.up()
    const text = `document.querySelector('platen-studio').shadowRoot.querySelector('[aria-label="Text of the template"]').value`
    // It stands where the mouse was, which may be within the tag that is there.
    const withoutIt = async () => ((await studio.page.evaluate(text)) as string).replace('{d.name}', '')
    await expect.poll(withoutIt, { timeout: 20_000 }).toBe('<p>{d.name}</p>')
  })

  it('asks before it leaves a template that has changed', async () => {
    const uri = `data:text/html;base64,${base64('<p>{d.name}</p>')}`
    await studio.call(`openTemplateDataURI('${uri}', 'letter.html')`)
    await studio.click('button[data-name=text]')
    await studio.type('[aria-label="Text of the template"]', '<p>Changed {d.name}</p>')
    const other = await versionsOf(target.url, ['Other {d.name}'])
    await studio.click('.library [aria-label^=Reload]')
    await studio.click('.templates .row')
    await expect.poll(() => studio.text('dialog'), { timeout }).toContain('Discard the changes')
    expect(await studio.violations()).toEqual([])
    await studio.click('dialog button[type=button]')
    expect(await studio.text('.title')).toContain('letter')
    await fetch(`${target.url}/template/${other}`, { method: 'DELETE' })
  })
})
