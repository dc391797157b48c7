import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { exportSPKI, generateKeyPair, SignJWT } from 'jose'
import type { ElementHandle } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Target } from '../../contract/http/client.ts'
import { startBrowser } from '../../helpers/browser.ts'
import { docxOf, paragraph } from '../../helpers/docx.ts'
import { originTarget } from '../../helpers/origin-target.ts'
import {
  type Detail,
  type Driven,
  openPage,
  studioTimeout as timeout,
  versionsOf,
} from '../../helpers/studio-page.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** The studio in a real browser, on an origin that listens: what a template designer and a site around it do with it. */

const letter = 'test/fixtures/templates/letter/template.docx'
const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
const root = `document.querySelector('platen-studio').shadowRoot`
const shownPages = `[...${root}.querySelectorAll('.page img')].map((image) => image.alt)`
/** How often the first page has been drawn. */
const drawings = `Number(${root}.querySelector('.page').dataset.drawn ?? 0)`
const marks = `${root}.querySelectorAll('.page .changed').length`
let chromium: Awaited<ReturnType<typeof startBrowser>>
beforeAll(async () => {
  chromium = await startBrowser()
})
afterAll(() => chromium?.stop())

async function startDriven(url: string): Promise<Driven> {
  const context = await chromium.browser.createBrowserContext()
  const driven = await openPage(await context.newPage())
  await driven.page.goto(url)
  return driven
}

describe('the studio of a service', () => {
  let target: Target
  let studio: Driven
  beforeAll(async () => {
    target = await originTarget({ studio: true })
    studio = await startDriven(target.url)
  })
  afterAll(() => target?.stop())

  it('opens a file, with its stored sample as data, and shows its pages', async () => {
    await studio.call(`setRenderOptions({ converter: 'I' })`)
    await choose(studio, letter)
    const loaded = await studio.last('template:loaded')
    expect(loaded).toEqual({
      name: 'template',
      type: 'docx',
      size: readFileSync(letter).length,
      createdAt: expect.any(Number),
    })
    await studio.rendered()
    expect(await studio.text('.status')).toMatch(/made by I in/)
    await expect.poll(() => studio.page.evaluate(shownPages), { timeout }).toEqual(['Page 1 of 1'])
    const options = await studio.call<Record<string, unknown>>('getRenderOptions()')
    expect(options).toEqual({ converter: 'I', convertTo: 'pdf', data: expect.any(Object) })
  })

  it('renders while data are typed, and sends an event', async () => {
    const before = studio.count('options:updated')
    await studio.type('.data-panel textarea', '{ "name": "Ann" }')
    const options = await studio.last('options:updated', before)
    expect(options).toEqual({ data: { name: 'Ann' }, converter: 'I' })
    await studio.rendered()
    expect(await studio.call('getRenderOptions()')).toMatchObject({ data: { name: 'Ann' } })
  })

  it('replaces a page in place and marks what changed, without a moment with no page', async () => {
    await studio.page.evaluate(`(() => {
      globalThis.gaps = 0
      const look = () => {
        const image = document.querySelector('platen-studio').shadowRoot.querySelector('.page img')
        if (!(image?.naturalWidth > 0)) globalThis.gaps++
        if (globalThis.watching) requestAnimationFrame(look)
      }
      globalThis.watching = true
      look()
    })()`)
    const drawn = Number(await studio.page.evaluate(drawings))
    await studio.type('.data-panel textarea', '{ "name": "Ann", "customer": { "name": "Bartholomew" } }')
    await expect.poll(() => studio.page.evaluate(drawings), { timeout }).toBeGreaterThan(drawn)
    await expect.poll(() => studio.page.evaluate(marks), { timeout, interval: 20 }).toBeGreaterThan(0)
    await studio.page.evaluate('globalThis.watching = false')
    expect(await studio.page.evaluate('globalThis.gaps')).toBe(0)
    await expect.poll(() => studio.page.evaluate(marks), { timeout }).toBe(0)
  })

  it('keeps the page and the place while a long document changes, and draws what comes into view', async () => {
    const pages = Array.from(
      { length: 9 },
      (_, at) => `${paragraph(`Page ${at + 1} for {d.name}`)}${pageBreak}`,
    )
    const template = Buffer.from(await docxOf(`${pages.join('')}${paragraph('The end, {d.name}')}`))
    const path = join(temporaryFolder('platen-studio'), 'template.docx')
    writeFileSync(path, template)
    await choose(studio, path)
    await expect.poll(() => studio.page.evaluate(shownPages), { timeout }).toHaveLength(10)
    rmSync(path)
    await studio.rendered()
    const filled = () =>
      studio.page.evaluate(`[...${root}.querySelectorAll('.page')].map((page) => page.dataset.drawn ?? '')`)
    const scrolled = (await studio.page.evaluate(`(() => {
      const pages = ${root}.querySelector('.pages')
      pages.scrollTop = pages.querySelectorAll('.page')[6].offsetTop - 40
      return pages.scrollTop
    })()`)) as number
    await expect.poll(async () => ((await filled()) as string[])[6], { timeout }).toBe('1')
    expect(((await filled()) as string[])[3]).toBe('')
    await studio.type('.data-panel textarea', '{ "name": "Somebody else" }')
    await expect.poll(async () => ((await filled()) as string[])[6], { timeout }).toBe('2')
    expect(await studio.page.evaluate(`${root}.querySelector('.pages').scrollTop`)).toBe(scrolled)
    expect(await studio.text('.status')).toMatch(/^10 pages · made by I in/)
    await choose(studio, letter)
    await studio.type('.data-panel textarea', '{ "name": "Ann" }')
    await studio.rendered()
  })

  it('downloads the document itself', async () => {
    const asked: unknown[] = []
    studio.page.on('request', (request) => {
      if (request.url().endsWith('/render/template'))
        asked.push(JSON.parse(request.postData() ?? '{}').convertTo)
    })
    await studio.click('.toolbar [aria-label=Download]')
    await expect.poll(() => asked, { timeout }).toEqual(['pdf'])
    await studio.rendered()
  })

  it('completes names of the schema where they fit', async () => {
    await studio.type('.data-panel textarea', '{ "sender": {')
    await studio.page.keyboard.press('Enter')
    await expect
      .poll(
        async () => {
          await studio.page.keyboard.down('Control')
          await studio.page.keyboard.press('Space')
          await studio.page.keyboard.up('Control')
          return studio.text('.completions li > span:first-child')
        },
        { timeout },
      )
      .toContain('name')
    await studio.page.keyboard.sendCharacter('"na')
    await studio.page.keyboard.type('m')
    await expect.poll(() => studio.text('.completions [aria-selected=true] > span:first-child')).toBe('name')
    await studio.page.keyboard.press('Enter')
    expect(await studio.text('.completions')).toBe('')
    expect(await studio.page.evaluate(`${root}.querySelector('.data-panel textarea').value`)).toBe(
      '{ "sender": {\n  "name": ',
    )
  })

  it('a form and the JSON show the same data', async () => {
    await studio.type('.data-panel textarea', '{ "name": "Ann", "sender": { "name": "Bo" }, "other": [1] }')
    await studio.click('.data-panel [data-name=form]')
    const value = (key: string) =>
      studio.page.evaluate(`${root}.querySelector('.data-form [data-key="${key}"]')?.value`)
    await expect.poll(() => value('sender.name'), { timeout }).toBe('Bo')
    const before = studio.count('options:updated')
    await studio.type('.data-form [data-key="sender.name"]', 'Cy')
    const { data } = await studio.last('options:updated', before)
    expect(data).toMatchObject({ name: 'Ann', sender: { name: 'Cy' }, other: [1] })
    expect(await value('sender.name')).toBe('Cy')
    await studio.click('.data-panel [data-name=data]')
    expect(await studio.page.evaluate(`${root}.querySelector('.data-panel textarea').value`)).toContain(
      '"Cy"',
    )
    await studio.rendered()
  })

  it('reports where JSON is wrong, and keeps the last valid data', async () => {
    const before = studio.count('options:updated')
    await studio.type('.data-panel textarea', '{\n  "name": "Ann",\n}')
    await expect
      .poll(() => studio.text('.place'))
      .toBe('Line 2, column 16: there is an extra comma before }.')
    expect(await studio.text('.gutter mark')).toBe('2')
    expect(await studio.call('getRenderOptions()')).toMatchObject({ data: { name: 'Ann' } })
    expect(studio.count('options:updated')).toBe(before)
    await studio.type('.data-panel textarea', '{ "name": "Bob" }')
    await studio.last('options:updated', before)
    expect(await studio.text('.place')).toBe('')
  })

  it('lists the errors of a template: what, where, which tag, what to do', async () => {
    const html = '<h1>{d.name:upercase}</h1>\n<p>{d.lines[i].price}</p>'
    await studio.call(`openTemplateDataURI('data:text/html;base64,${btoa(html)}', 'offer.html')`)
    await expect.poll(() => studio.text('.problems li'), { timeout }).toContain('upercase')
    const problems = await studio.text('.problems')
    expect(problems).toContain('2 errors')
    expect(problems).toContain('Formatter "upercase" does not exist. Do you mean "upperCase"?')
    expect(problems).toContain('line 2')
    expect(problems).toContain('{d.lines[i].price}')
    expect(problems).toContain('Write {d.lines[i+1]}')
    expect(await studio.text('.failure')).toContain('the template has 2 errors, listed below')
  })

  it('a click on a problem selects its position in the text', async () => {
    await studio.click('.problems li:nth-child(2) .go')
    expect(await studio.text('[role=tab][aria-selected=true]')).toContain('Template')
    expect(await studio.page.evaluate(selectedText)).toBe('{d.lines[i].price}')
  })

  it('asks before it deploys a template with errors', async () => {
    const before = studio.count('template:saved')
    await studio.click('.bar .primary')
    await studio.click('dialog button[type=submit]')
    await expect.poll(() => studio.text('dialog:last-child'), { timeout }).toContain('It has 2 errors')
    expect(await studio.violations()).toEqual([])
    await studio.click('dialog:last-child button[type=button]')
    await expect.poll(() => studio.text('dialog')).not.toContain('It has 2 errors')
    expect(await studio.text('dialog')).toContain('Save the template')
    await studio.click('dialog button[type=button]')
    await expect.poll(() => studio.text('dialog')).toBe('')
    expect(studio.count('template:saved')).toBe(before)
  })

  it('a click on a missing value goes to the data that lack it', async () => {
    await studio.call(`openTemplateDataURI('data:text/html,<p>{d.customer.name}</p>', 'missing.html')`)
    await studio.call(`setRenderOptions({ data: { first: 1, customer: { id: 7 } } })`)
    await expect.poll(() => studio.text('.problems li'), { timeout }).toContain('d.customer.name is not in')
    await studio.click('.problems li .go')
    expect(await studio.text('[role=tab][aria-selected=true]')).toContain('Data')
    expect(await studio.page.evaluate(selectedText)).toBe('"customer"')
    await studio.call(`openTemplateDataURI('data:text/html,<p>{d.name}</p>', 'offer.html')`)
  })

  it('a text template can be corrected in place', async () => {
    await studio.click('[role=tab][data-name=text]')
    const mended = '<h1>{d.name:upperCase}</h1>'
    const before = studio.count('template:updated')
    await studio.type('.panel:not([hidden]) > .editor textarea', mended)
    const updated = await studio.last('template:updated', before)
    expect(updated).toEqual({
      createdAt: expect.any(Number),
      type: 'html',
      dataURI: `data:text/html;base64,${btoa(mended)}`,
    })
    await studio.call(`setRenderOptions({ convertTo: 'html', data: { name: 'Ann' } })`)
    await expect.poll(() => shownPage(studio), { timeout }).toContain('ANN')
    expect(await studio.text('.problems')).toBe('')
  })

  it('shows what the template reads', async () => {
    await studio.click('[role=tab][data-name=fields]')
    await expect.poll(() => studio.text('.fields'), { timeout }).toContain('{d.name}')
  })

  let saved: Detail
  it('saves it as a template with name, tags and sample', async () => {
    await studio.click('.bar .primary')
    await studio.type('input[name=name]', 'Offer')
    await studio.type('input[name=comment]', 'first')
    await studio.type('input[name=tags]', 'web, sales')
    await studio.click('dialog button[type=submit]')
    saved = await studio.last('template:saved')
    expect(saved).toEqual({
      versionId: expect.stringMatching(/^[0-9a-f]{64}$/),
      id: expect.stringMatching(/^\d+$/),
      createdAt: expect.any(Number),
      expireAt: 0,
      deployedAt: expect.any(Number),
      size: 27,
      type: 'html',
      name: 'Offer',
      comment: 'first',
      tags: ['web', 'sales'],
      origin: 1,
      sample: [{ data: { name: 'Ann' } }],
    })
    await expect.poll(() => studio.text('.library li'), { timeout }).toContain('Offer')
    expect(await studio.text('.library li')).toContain('sales')
    expect(new URL(studio.page.url()).hash).toBe(`#${saved['id']}`)
  })

  it('stores a further version that is not deployed, and deploys it', async () => {
    // Versions of one second have no order, and in one second a version is deployed only once.
    await expect.poll(() => Date.now() / 1000, { timeout }).toBeGreaterThan(Number(saved['deployedAt']) + 1)
    await studio.click('[role=tab][data-name=text]')
    await studio.type('.panel:not([hidden]) > .editor textarea', '<h2>{d.name}</h2>')
    await studio.click('.bar .primary')
    await studio.type('input[name=comment]', 'second')
    await studio.click('dialog .tick:last-of-type input')
    await studio.click('dialog button[type=submit]')
    const second = await studio.last('template:saved', 1)
    expect(second).toMatchObject({ id: saved['id'], deployedAt: 0, comment: 'second' })
    await studio.click('[role=tab][data-name=versions]')
    await expect.poll(() => studio.text('.versions li'), { timeout }).toMatch(/second[\s\S]*first/)
    expect(await templateText(target, String(saved['id']))).toBe('<h1>{d.name:upperCase}</h1>')
    await studio.click('.versions button ::-p-text(Deploy)')
    await expect.poll(() => templateText(target, String(saved['id'])), { timeout }).toBe('<h2>{d.name}</h2>')
    await expect.poll(() => studio.text('.versions .deployed'), { timeout }).toContain('Deployed')
  })

  let compared = ''
  it('compares a version with the open one: tags, text, and pages side by side', async () => {
    compared = await versionsOf(target.url, ['Dear {d.name}', 'Dear {d.name:upperCase}, welcome'])
    await studio.call(`openTemplateId('${compared}')`)
    await studio.click('[role=tab][data-name=versions]')
    await studio.click('.versions [data-key^=compare]')
    await expect
      .poll(() => studio.text('dialog .comparison ul'), { timeout })
      .toBe('Changed: {d.name} {d.name:upperCase}')
    expect(await studio.text('dialog .changes')).toContain('welcome')
    const widths = `[...${root}.querySelectorAll('dialog .page img')].map((image) => image.naturalWidth)`
    await expect.poll(() => studio.page.evaluate(widths), { timeout }).toEqual([640, 640])
    expect(await studio.page.evaluate(`${root}.querySelectorAll('dialog .changed').length`)).toBeGreaterThan(
      1,
    )
    await studio.click('dialog .buttons button')
    expect(await studio.text('dialog')).toBe('')
  })

  it('deletes a version after a question, but not the open one', async () => {
    const versions = () => studio.page.evaluate(`${root}.querySelectorAll('.versions li').length`)
    const deletes = () =>
      studio.page.evaluate(`${root}.querySelectorAll('.versions [data-key^=delete]').length`)
    expect([await versions(), await deletes()]).toEqual([2, 1])
    await studio.click('.versions [data-key^=delete]')
    await studio.find('dialog')
    expect(await studio.violations()).toEqual([])
    await studio.click('dialog button[type=submit]')
    await expect.poll(versions, { timeout }).toBe(1)
    expect(await deletes()).toBe(0)
    await fetch(`${target.url}/template/${compared}`, { method: 'DELETE' })
    await studio.click('.library [aria-label^=Reload]')
    await studio.call(`openTemplateId('${saved['id']}')`)
    await studio.rendered()
  })

  it('asks what a file is where it could be a new state of the stored template', async () => {
    const file = join(temporaryFolder('platen-studio'), 'template.html')
    writeFileSync(file, '<h3>{d.name}</h3>')
    try {
      await choose(studio, file)
      await studio.find('dialog .choice')
      expect(await studio.text('dialog')).toContain('A new state of \u201cOffer\u201d')
      expect(await studio.violations()).toEqual([])
      await studio.click('dialog button[type=submit]')
      await expect.poll(() => studio.text('.title'), { timeout }).toContain('changed since')
      await expect.poll(() => shownPage(studio), { timeout }).toBe('Ann')
      await choose(studio, file)
      await studio.click('dialog .choice label:last-child')
      await studio.click('dialog button[type=submit]')
      await expect.poll(() => studio.text('.title'), { timeout }).toContain('not saved')
    } finally {
      rmSync(file)
    }
  })

  it('takes a file of JSON as data', async () => {
    await choose(studio, 'test/fixtures/templates/letter/data.json')
    const data = JSON.parse(readFileSync('test/fixtures/templates/letter/data.json', 'utf8'))
    await expect.poll(() => studio.call('getRenderOptions()'), { timeout }).toMatchObject({ data })
  })

  it('reports where a JSON file is wrong, keeps the data, and opens it as a template on request', async () => {
    const file = join(temporaryFolder('platen-studio'), 'template.json')
    const before = await studio.call('getRenderOptions()')
    try {
      writeFileSync(file, '{\n  "name": {d.name}\n}')
      await choose(studio, file)
      await expect
        .poll(() => studio.text('.notice'), { timeout })
        .toContain('line 2, column 12: a name in double quotes is missing. The data stay as they are.')
      expect(await studio.call('getRenderOptions()')).toEqual(before)
      await studio.click('.notice button ::-p-text(Open it as a template)')
      await expect.poll(() => studio.text('.title'), { timeout }).toContain('JSON')
      expect(await studio.text('.notice')).toBe('')
      writeFileSync(file, '17')
      await choose(studio, file)
      await expect
        .poll(() => studio.text('.notice'), { timeout })
        .toContain('an object or an array is needed')
      await studio.click('.notice button ::-p-text(Close)')
      expect(await studio.text('.notice')).toBe('')
    } finally {
      rmSync(file)
    }
  })

  it('light or dark is kept', async () => {
    await studio.click('.icon-button[aria-label="Light or dark"]')
    const theme = () =>
      studio.page.evaluate(
        `document.querySelector('platen-studio').shadowRoot.querySelector('.studio').dataset.theme`,
      )
    await expect.poll(theme).toBe('dark')
    expect(await studio.page.evaluate('Object.values(localStorage)')).toEqual(['dark'])
    await studio.click('.icon-button[aria-label="Light or dark"]')
    await expect.poll(theme).toBe('light')
  })

  it('finds templates by letters of their names', async () => {
    await studio.type('.library input', 'ofr')
    await expect.poll(() => studio.text('.library li')).toContain('Offer')
    await studio.type('.library input', 'nothing like it')
    await expect.poll(() => studio.text('.library')).toContain('No template has that name.')
  })

  it('opens stored templates by their IDs, with sample and metadata', async () => {
    const before = studio.count('template:loaded')
    await studio.call(`openTemplateVersionId('${saved['versionId']}')`)
    expect(await studio.last('template:loaded', before)).toMatchObject({
      versionId: saved['versionId'],
      name: 'Offer',
      comment: 'first',
      type: 'html',
      sample: [{ data: { name: 'Ann' } }],
    })
    await studio.call(`openTemplateId('${saved['id']}')`)
    expect(await studio.last('template:loaded', before + 1)).toMatchObject({ comment: 'second' })
    const missing = studio.call(`openTemplateId('1')`)
    await expect(missing).rejects.toThrow('Template not found')
    await expect.poll(() => studio.text('.failure')).toContain('Template not found')
  })

  it('the address of the page opens the template again', async () => {
    await studio.page.goto(`${target.url}/#${saved['id']}`)
    await studio.page.reload()
    await expect.poll(() => studio.text('.title'), { timeout }).toContain('Offer')
    await expect.poll(() => studio.call('getRenderOptions()')).toMatchObject({ data: { name: 'Ann' } })
  })

  it('the focus stays on the template that was opened, and on the version', async () => {
    const focused = () =>
      studio.page.evaluate(
        `(() => { const { activeElement } = document.querySelector('platen-studio').shadowRoot; return activeElement?.innerText ?? '' })()`,
      ) as Promise<string>
    await studio.focus('.library .row')
    const before = studio.count('template:loaded')
    await studio.page.keyboard.press('Enter')
    await studio.last('template:loaded', before)
    await studio.rendered()
    expect(await focused()).toContain('Offer')
    await studio.click('[role=tab][data-name=versions]')
    await expect.poll(() => studio.text('.versions'), { timeout }).toContain('first')
    await studio.focus('.versions li:last-child .row')
    await studio.page.keyboard.press('Enter')
    await studio.last('template:loaded', before + 1)
    await studio.rendered()
    await expect.poll(focused, { timeout }).toContain('first')
  })

  it('close removes the template, reset also the options', async () => {
    await studio.call('close()')
    expect(await studio.text('.welcome')).toContain('Drop a template here')
    expect(await studio.call('getRenderOptions()')).not.toEqual({})
    await studio.call('reset()')
    expect(await studio.call('getRenderOptions()')).toEqual({})
  })

  it('opens a dropped file', async () => {
    await studio.page.evaluate(`{
      const node = document.querySelector('platen-studio').shadowRoot.querySelector('.studio')
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['<p>{d.dropped}</p>'], 'dropped.html'))
      const event = (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
      node.dispatchEvent(event('dragover'))
      node.dispatchEvent(event('drop'))
    }`)
    await expect.poll(() => studio.text('.title'), { timeout }).toContain('dropped')
    await expect
      .poll(() => studio.call('getRenderOptions()'), { timeout })
      .toMatchObject({ data: { dropped: 'Dropped' } })
    expect(await studio.text('.drop')).toBe('')
    await studio.call('close()')
  })

  it('refuses what it cannot use', async () => {
    await expect(studio.call(`setConfig({ mode: 'other' })`)).rejects.toThrow('"mode" of the configuration')
    await expect(studio.call(`setRenderOptions({ data: 1 })`)).rejects.toThrow('"data" must be an object')
    await expect(studio.call(`openTemplateDataURI('x')`)).rejects.toThrow('This is not a data URI.')
  })

  it('each control has a name, and all are reached by the keyboard', async () => {
    const tree = (await studio.page.accessibility.snapshot())!
    const nameless: string[] = []
    const visit = (node: typeof tree) => {
      const wanted = ['button', 'textbox', 'combobox', 'checkbox', 'tab', 'searchbox'].includes(node.role)
      if (wanted && !node.name) nameless.push(node.role)
      node.children?.forEach(visit)
    }
    visit(tree)
    expect(nameless).toEqual([])
    await studio.focus('[role=tab][data-name=data]')
    await studio.page.keyboard.press('ArrowRight')
    expect(await studio.text('[role=tab][aria-selected=true]')).toContain('Options')
    expect(await studio.text('.form')).toContain('Time zone')
  })

  it('has not broken its policy, and called only the service', async () => {
    expect(studio.breaches).toEqual([])
    expect([...studio.called].filter((origin) => /^https?:/.test(origin))).toEqual([target.url])
    await studio.page.evaluate(
      `{ const script = document.createElement('script'); script.textContent = 'globalThis.ran = true'; document.body.append(script) }`,
    )
    expect(await studio.page.evaluate('globalThis.ran')).toBeUndefined()
    await expect.poll(() => studio.breaches).toEqual(['script-src-elem inline'])
  })

  it('destroy removes the element', async () => {
    const before = studio.count('disconnected')
    await studio.call('destroy()').catch(() => undefined)
    expect(await studio.page.evaluate(`document.querySelector('platen-studio')`)).toBeNull()
    // It is off the page by then: its events no longer reach the document.
    expect(studio.count('disconnected')).toBe(before)
  })
})

describe('with tokens and a password, and in another site', () => {
  let target: Target
  let site: Server
  let siteUrl = ''
  let token = ''
  beforeAll(async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES512', { extractable: true })
    token = await new SignJWT({ aud: 'service', exp: Math.floor(Date.now() / 1000) + 3600 })
      .setProtectedHeader({ alg: 'ES512' })
      .sign(privateKey)
    target = await originTarget({
      studio: true,
      studioUser: 'ann:secret',
      authentication: true,
      authenticationPublicKey: await exportSPKI(publicKey),
    })
    site = createServer((request, response) => {
      if (request.url === '/hello.html') return response.end('<b>Hello {d.name}</b>')
      response.setHeader('content-type', 'text/html')
      if (request.url === '/strict') {
        response.setHeader('content-security-policy', documentedPolicy(target.url, 'r4nd0m'))
        return response.end(`<!doctype html><title>A strict site</title><platen-studio></platen-studio>
          <script type="module" nonce="r4nd0m" src="${target.url}/studio/element.js"></script>`)
      }
      response.end(`<!doctype html><title>A site</title><platen-studio></platen-studio>
        <script type="module" src="${target.url}/studio/element.js"></script>
        <style>platen-studio { height: 90vh }</style>`)
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    siteUrl = `http://localhost:${(site.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    site?.close()
    await target?.stop()
  })

  it('asks for the password, then for a token, and keeps that for the tab alone', async () => {
    const context = await chromium.browser.createBrowserContext()
    const studio = await openPage(await context.newPage())
    await expect(studio.page.goto(target.url)).rejects.toThrow('ERR_INVALID_AUTH_CREDENTIALS')
    await studio.page.authenticate({ username: 'ann', password: 'secret' })
    expect((await studio.page.goto(target.url))?.status()).toBe(200)
    await studio.type('dialog input[name=token]', token)
    await studio.click('dialog button[type=submit]')
    await expect.poll(() => studio.text('.library'), { timeout }).toContain('No templates are stored yet.')
    expect(await studio.page.evaluate('Object.values(sessionStorage)')).toEqual([token])
    expect(await studio.page.evaluate('Object.keys(localStorage)')).toEqual([])
    await studio.page.reload()
    await expect.poll(() => studio.text('.library'), { timeout }).toContain('No templates are stored yet.')
    expect(await studio.text('dialog')).toBe('')
    await context.close()
  })

  it('another site embeds it with a token and its own template, and receives changed templates', async () => {
    const studio = await startDriven(siteUrl)
    await studio.last('connected')
    await studio.call(`setConfig({ mode: 'embedded', token: '${token}', theme: 'dark' })`)
    await studio.call(`setRenderOptions({ convertTo: 'html', data: { name: 'Ann' } })`)
    expect(studio.count('options:updated')).toBe(0)
    await studio.call(`openTemplateURL('/hello.html')`)
    expect(await studio.last('template:loaded')).toMatchObject({ name: 'hello', type: 'html' })
    await expect.poll(() => shownPage(studio), { timeout }).toContain('Hello Ann')
    expect(await studio.text('.bar .primary, .library, [data-name=versions]')).toBe('')
    await studio.click('[role=tab][data-name=text]')
    await studio.type('.panel:not([hidden]) > .editor textarea', 'Bye {d.name}')
    expect(await studio.last('template:updated')).toMatchObject({
      type: 'html',
      dataURI: `data:text/html;base64,${btoa('Bye {d.name}')}`,
    })
    await expect.poll(() => shownPage(studio), { timeout }).toContain('Bye Ann')
    expect(await studio.page.evaluate('Object.values(sessionStorage)')).toEqual([])
    await studio.page.close()
  })

  it('another site stores versions here without a token in the browser: calls go through its own function', async () => {
    const studio = await startDriven(siteUrl)
    await studio.page.exposeFunction('bearer', () => `Bearer ${token}`)
    await studio.last('connected')
    const through = `async (url, init) => {
      (globalThis.paths ??= []).push((init.method ?? 'GET') + ' ' + new URL(url).pathname.replace(/\\/[^/]{20,}/, '/:id'))
      return fetch(url, { ...init, headers: { ...init.headers, authorization: await bearer() } })
    }`
    await studio.call(`setConfig({ mode: 'embedded-versioning', fetchOverride: ${through} })`)
    await studio.call(`setRenderOptions({ convertTo: 'md' })`)
    await studio.call(`openTemplateDataURI('data:text/markdown,%23 Hello', 'note.md')`)
    await studio.click('.bar .primary')
    await studio.click('dialog button[type=submit]')
    const saved = await studio.last('template:saved')
    expect(saved).toMatchObject({ name: 'note', type: 'md', size: 7 })
    expect(await studio.page.evaluate('[...new Set(paths)].toSorted()')).toEqual([
      'GET /conversions',
      'GET /render/:id',
      'GET /templates',
      'POST /render/template',
      'POST /template',
      'POST /template/lint',
      'POST /template/schema',
    ])
    expect(await studio.text('.library')).toBe('')
    await studio.page.close()
  })

  it('works under the strict policy of the documentation', async () => {
    const studio = await startDriven(`${siteUrl}/strict`)
    await studio.last('connected')
    await studio.call(`setConfig({ mode: 'embedded', token: '${token}' })`)
    await studio.call(`setRenderOptions({ converter: 'I', data: { name: 'Ann' } })`)
    await studio.call(
      `openTemplateDataURI('data:text/html,<b style="color:red">Hello {d.name}</b>', 'hello.html')`,
    )
    await studio.rendered()
    await expect
      .poll(() => studio.page.frames().some((frame) => frame.url().startsWith('chrome-extension:')), {
        timeout,
      })
      .toBe(true)
    await studio.call(`setRenderOptions({ convertTo: 'html', converter: undefined })`)
    await expect.poll(() => shownPage(studio), { timeout }).toContain('Hello Ann')
    await studio.call(`setRenderOptions({ convertTo: 'png' })`)
    await expect.poll(() => studio.page.evaluate(pictureWidth), { timeout }).toBeGreaterThan(0)
    expect(studio.breaches).toEqual([])
    await studio.page.evaluate(
      `{ const script = document.createElement('script'); try { script.textContent = 'globalThis.ran = true' } catch {} document.body.append(script) }`,
    )
    await expect.poll(() => studio.breaches.length).toBeGreaterThan(0)
    expect(await studio.page.evaluate('globalThis.ran')).toBeUndefined()
    await studio.page.close()
  })

  it('without a token a site gets an event, and no password dialog appears', async () => {
    const studio = await startDriven(siteUrl)
    await studio.last('connected')
    await studio.call(`setConfig({ mode: 'embedded' })`)
    const refused = studio.call(`openTemplateId('1234')`)
    await expect(refused).rejects.toThrow('Unauthorized')
    expect(await studio.text('.failure')).toContain('Unauthorized')
    expect(await studio.text('dialog')).toBe('')
    await studio.page.close()
  })
})

/** The policy that docs/studio.md gives to sites that embed the studio, for this service and nonce. */
function documentedPolicy(service: string, nonce: string): string {
  const [, policy = ''] =
    /```http\nContent-Security-Policy: ([\s\S]*?)\n```/.exec(readFileSync('docs/studio.md', 'utf8')) ?? []
  return policy
    .replaceAll('https://documents.example.com', service)
    .replaceAll('<random>', nonce)
    .replaceAll(/\s+/g, ' ')
}

const pictureWidth = `document.querySelector('platen-studio').shadowRoot.querySelector('.picture img')?.naturalWidth ?? 0`

/** The selected part of the field that has the focus. */
const selectedText = `(() => {
  const { activeElement: field } = document.querySelector('platen-studio').shadowRoot
  return field.value.slice(field.selectionStart, field.selectionEnd)
})()`

async function choose({ page }: Driven, file: string): Promise<void> {
  const chooser = await page.waitForSelector('>>> input[type=file]')
  await (chooser as ElementHandle<never>).uploadFile(file)
}

/** The words in the sandboxed frame of an HTML preview. */
async function shownPage(studio: Driven): Promise<string> {
  for (const frame of studio.page.frames())
    if (frame.url().startsWith('blob:')) {
      const text = (await frame.evaluate('document.body.innerText').catch(() => '')) as string
      if (text !== '') return text
    }
  return ''
}

async function templateText({ url }: Target, id: string): Promise<string> {
  return (await fetch(`${url}/template/${id}`)).text()
}
