import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { createPinnedTransport } from '../../../../origin/net/pinned-fetch.ts'
import { type BrowserEngine, createEngine } from '../../../../plugins/engines/chromium/engine.ts'
import described from '../../../../plugins/engines/chromium/index.ts'
import { pageStyle } from '../../../../shared/flow/page-style.ts'
import { createOutbound } from '../../../../shared/net/outbound.ts'
import { hugePng } from '../../../helpers/docx.ts'
import { engineUnder, originHost } from '../../../helpers/engines.ts'
import { kill } from '../../../helpers/kill.ts'
import { ask } from '../../../helpers/pdf.ts'
import { processesBelow } from '../../../helpers/processes.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { drawing, page, xmlPage } from './samples.ts'

const plugin = { ...described, create: createEngine }

const folder = temporaryFolder('chromium-test')
const place = join(folder, 'made')
/** A file in the place of a folder: no user can create a folder below it. */
const blocked = join(folder, 'file')
writeFileSync(blocked, '')

/** What a page may reach in these tests: a server of our own, by its address alone. */
const asked: { url: string; authorization: string | undefined }[] = []
const red = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#ff0000' } })
  .png()
  .toBuffer()
const huge = hugePng(25_000, 20_000)
const hugeUri = `data:image/png;base64,${Buffer.from(huge).toString('base64')}`
const server = createServer((request, response) => {
  asked.push({ url: request.url ?? '', authorization: request.headers.authorization })
  if (request.url === '/red.png') response.writeHead(200, { 'content-type': 'image/png' }).end(red)
  else if (request.url === '/huge.png') response.writeHead(200, { 'content-type': 'image/png' }).end(huge)
  else if (request.url === '/style.css')
    response.writeHead(200, { 'content-type': 'text/css' }).end('p { page-break-after: always }')
  else response.writeHead(404).end()
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const inside = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const outboundWith = (allowPrivate: boolean) => {
  const policy = { allowPrivate }
  return createOutbound({ policy, transport: createPinnedTransport(policy), userAgent: 'test' })
}

const open = engineUnder<BrowserEngine>(plugin, originHost(outboundWith(true)))
const strict = engineUnder<BrowserEngine>(plugin, originHost(outboundWith(false)), { pages: 2 })
afterAll(async () => {
  await Promise.all([open.engine.stop?.(), strict.engine.stop?.()])
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const text = (pdf: Uint8Array) => ask(place, pdf, 'pdftotext', '-layout', '@', '-')
const info = (pdf: Uint8Array) => ask(place, pdf, 'pdfinfo', '@')
const pagesOf = async (pdf: Uint8Array) => Number(/Pages:\s+(\d+)/.exec(await info(pdf))?.[1])
const body = (content: string) => `<!doctype html><html><body>${content}</body></html>`

/** The colour of a pixel, '#rrggbb'. */
async function colourAt(picture: Uint8Array, left: number, top: number): Promise<string> {
  const one = sharp(picture)
    .extract({ left, top, width: 1, height: 1 })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
  return `#${(await one.toBuffer()).toString('hex').slice(0, 6)}`
}

describe('HTML to PDF', () => {
  test('page size of the style sheet, properties, embedded fonts, selectable text', async () => {
    const { bytes, warnings } = await open.convert(page, 'html', 'pdf')
    expect(warnings).toEqual([])
    const about = await info(bytes)
    expect(about).toMatch(/Title:\s+Grüße\n/)
    expect(about).toMatch(/Author:\s+Jürgen Groß\n/)
    expect(about).toMatch(/Subject:\s+Ein \(kurzer\) Text\n/)
    expect(about).toMatch(/Keywords:\s+eins, zwei\n/)
    expect(about).toMatch(/Page size:\s+59[45].*A5/)
    expect(await text(bytes)).toContain('Grüße, naïve façade: 12 €.')
    expect(await ask(place, bytes, 'pdffonts', '@')).toMatch(/Carlito.* yes yes/)
    expect(await ask(place, bytes, 'qpdf', '--check', '@')).toContain('No syntax or stream encoding errors')
  })

  test.each([
    [{}, /595.* x 84[12]/],
    [{ PaperSize: 'Letter' }, /612 x 792/],
    [{ PaperSize: 'a3', Landscape: true }, /119[01].* x 84[12]/],
    [{ PaperSize: '100mm 50mm' }, /283.* x 14[12]/],
  ])('paper %j', async (options, size) => {
    expect(await info((await open.convert(body('x'), 'html', 'pdf', { options })).bytes)).toMatch(size)
  })

  test('a page that the service made, as of Markdown, takes the requested paper', async () => {
    const options = { PaperSize: 'A5', Landscape: true }
    const page = `<!doctype html><title>x</title><style>${pageStyle}</style><p>x</p>`
    expect(await info((await open.convert(page, 'html', 'pdf', { options })).bytes)).toMatch(/59[56].* x 420/)
  })

  test('margins move the text', async () => {
    const options = { MarginLeft: '100pt', MarginTop: '50pt' }
    const { bytes } = await open.convert(
      body('<p style="margin:0">x</p>').replace('<body>', '<body style="margin:0">'),
      'html',
      'pdf',
      { options },
    )
    const boxes = await ask(place, bytes, 'pdftotext', '-bbox', '@', '-')
    const at = /<word xMin="([\d.]+)" yMin="([\d.]+)"/.exec(boxes)
    expect(Number(at?.[1])).toBeCloseTo(100, 0)
    expect(Number(at?.[2])).toBeGreaterThan(49)
    expect(Number(at?.[2])).toBeLessThan(56)
  })

  test('header and footer elements are on every page, with page numbers', async () => {
    const running =
      '<header data-page-header>Letterhead</header><footer data-page-footer>Page <span class="pageNumber"></span> of <span class="totalPages"></span></footer>'
    const { bytes } = await open.convert(body(`${running}${'<p>line</p>'.repeat(80)}`), 'html', 'pdf')
    const pages = (await text(bytes)).split('\f').filter((one) => one.trim() !== '')
    expect(pages.length).toBe(3)
    for (const [index, one] of pages.entries()) {
      expect(one.match(/Letterhead/g)).toHaveLength(1)
      expect(one).toContain(`Page ${index + 1} of 3`)
    }
  })

  test('scripts do not run, and what is for readers without them shows', async () => {
    const { bytes } = await open.convert(
      body(
        '<script>document.write("SCRIPT")</script><noscript>plain</noscript><img src=x onerror="document.title=1">',
      ),
      'html',
      'pdf',
    )
    expect((await text(bytes)).trim()).toBe('plain')
  })

  describe('SinglePage', () => {
    const tall = (rules: string, height = 2000) =>
      body(
        `<style>body{margin:0}${rules}</style><div style="height:${height / 2}px">one</div><h1 style="break-before:page;margin:0;height:${height / 2}px">two</h1>`,
      )
    const single = { SinglePage: true, PaperSize: 'A5', MarginTop: '1in', MarginBottom: '1in', Scale: 0.5 }
    const heightOf = async (bytes: Uint8Array) =>
      Number(/Page size: +\S+ x (\S+)/.exec(await info(bytes))?.[1])

    test.each([
      ['a page', '', single, 420],
      ['rules for paper', '@page{size:A3;margin:5cm}', single, 420],
      ['landscape', '', { ...single, Landscape: true }, 595.9],
    ])('prints all on paper as high as its content: %s', async (_what, rules, options, width) => {
      const { bytes, warnings } = await open.convert(tall(rules), 'html', 'pdf', { options })
      expect(warnings).toEqual([])
      expect(await pagesOf(bytes)).toBe(1)
      expect(await heightOf(bytes)).toBeCloseTo((2000 / 2 / 96 + 2) * 72, -1)
      expect(await info(bytes)).toMatch(new RegExp(`Page size: +${width}\\d* x`))
      expect(await text(bytes)).toMatch(/one\s+two/)
    })

    test('content beyond the largest page of a PDF goes on over others, with a warning', async () => {
      const { bytes, warnings } = await open.convert(tall('', 30_000), 'html', 'pdf', {
        options: { SinglePage: true },
      })
      expect(warnings.map(({ code }) => code)).toEqual(['web.single-page'])
      expect(await heightOf(bytes)).toBe(14_400)
      expect(await text(bytes)).toMatch(/one\s+two/)
    })

    test('a page of normal paper follows it', async () => {
      await open.convert(tall(''), 'html', 'pdf', { options: single })
      const { bytes } = await open.convert(tall(''), 'html', 'pdf')
      expect(await pagesOf(bytes)).toBe(2)
    })
  })

  test('bookmarks from headings, a structure tree on demand', async () => {
    const plain = await open.convert(body('<h1>One</h1><h2>Two</h2>'), 'html', 'pdf')
    expect(Buffer.from(plain.bytes).toString('latin1')).toMatch(/\/Outlines/)
    const bare = await open.convert(body('<h1>One</h1>'), 'html', 'pdf', {
      options: { ExportBookmarks: false },
    })
    expect(Buffer.from(bare.bytes).toString('latin1')).not.toMatch(/\/Outlines/)
    const tagged = await open.convert(page, 'html', 'pdf', { options: { UseTaggedPDF: true } })
    expect(await info(tagged.bytes)).toMatch(/Tagged:\s+yes/)
  })

  test.each([
    ['windows-1252', Buffer.from('<p>Gr\xfc\xdfe \x80</p>', 'latin1'), 'Grüße €'],
    ['named', Buffer.from('<meta charset="iso-8859-2"><p>\xb1\xe6</p>', 'latin1'), 'ąć'],
    ['utf-16', Buffer.from('\ufeff<p>Żółć</p>', 'utf16le'), 'Żółć'],
  ])('characters: %s', async (_name, bytes, expected) => {
    expect((await text((await open.convert(bytes, 'html', 'pdf')).bytes)).trim()).toBe(expected)
  })

  test('XML is read as XML, and as HTML with a warning when it is not well-formed', async () => {
    const good = await open.convert(xmlPage, 'xhtml', 'pdf')
    expect((await text(good.bytes)).trim()).toBe('Grüße')
    const bad = await open.convert(xmlPage.replace('<div/>', '<br>'), 'xhtml', 'pdf')
    expect((await text(bad.bytes)).trim()).toBe('Grüße')
    expect(bad.warnings.map(({ code }) => code)).toEqual(['web.not-well-formed'])
  })
  test('XHTML with its style sheet in a comment is read as HTML', async () => {
    const styled = xmlPage.replace('<title>', '<style><!-- p { display: none } --></style><title>')
    expect((await text((await open.convert(styled, 'xhtml', 'pdf')).bytes)).trim()).toBe('')
  })
  test('HTML with an XML declaration is read as HTML', async () => {
    // In XML the style element has no meaning, since it is in no namespace.
    const styled = xmlPage.replace('<title>', '<style xmlns="">p { display: none }</style><title>')
    expect((await text((await open.convert(styled, 'html', 'pdf')).bytes)).trim()).toBe('')
    expect((await text((await open.convert(styled, 'xhtml', 'pdf')).bytes)).trim()).toBe('Grüße')
  })
})

describe('pictures', () => {
  test.each([
    ['png', {}, [1280, undefined]],
    ['jpg', { PixelWidth: 400 }, [400, undefined]],
    ['webp', { PixelWidth: 400, PixelHeight: 300 }, [400, 300]],
  ] as const)('%s %j', async (to, options, [width, height]) => {
    const { bytes } = await open.convert(page, 'html', to, { options })
    const about = await sharp(bytes).metadata()
    expect([about.width, about.format]).toEqual([width, to === 'jpg' ? 'jpeg' : to])
    if (height !== undefined) expect(about.height).toBe(height)
  })

  test('a page of which only the height is given keeps its shape', async () => {
    const wide = body('<div style="width:1280px;height:1440px;background:#f00"></div>').replace(
      '<body>',
      '<body style="margin:0">',
    )
    const { bytes } = await open.convert(wide, 'html', 'png', { options: { PixelHeight: 360 } })
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 320, height: 360 })
    expect(await colourAt(bytes, 319, 350)).toBe('#ff0000')
  })

  test('as high as the content, also where the browser itself would give up', async () => {
    const tall = body(
      '<div style="height:20000px;background:linear-gradient(#f00 50%,#00f 50%)"></div>',
    ).replace('<body>', '<body style="margin:0">')
    const { bytes } = await open.convert(tall, 'html', 'png', { options: { PixelWidth: 200 } })
    expect((await sharp(bytes).metadata()).height).toBe(20_000)
    expect(await colourAt(bytes, 100, 9_990)).toBe('#ff0000')
    expect(await colourAt(bytes, 100, 19_990)).toBe('#0000ff')
  })

  test('grey, interlaced, compression, transparency, quality', async () => {
    const of = async (to: string, options: object) =>
      (await open.convert(page, 'html', to, { options: { PixelWidth: 400, ...options } })).bytes
    expect((await sharp(await of('png', { ColorMode: 1 })).metadata()).space).toBe('b-w')
    expect((await sharp(await of('png', { Interlaced: 1 })).metadata()).isProgressive).toBe(true)
    expect((await of('png', { Compression: 0 })).length).toBeGreaterThan(400 * 400)
    expect((await of('png', { Compression: 9 })).length).toBeLessThan(30_000)
    expect((await sharp(await of('png', { Translucent: 1 })).metadata()).hasAlpha).toBe(true)
    expect((await of('jpg', { Quality: 5 })).length).toBeLessThan(
      (await of('jpg', { Quality: 95 })).length / 2,
    )
  })

  test('a drawing keeps its size, or is drawn larger, sharp', async () => {
    const { bytes } = await open.convert(drawing, 'svg', 'png')
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 300, height: 150 })
    const large = (await open.convert(drawing, 'svg', 'png', { options: { PixelWidth: 1200 } })).bytes
    expect(await sharp(large).metadata()).toMatchObject({ width: 1200, height: 600 })
    expect(await colourAt(large, 320, 280)).toBe('#ffa500')
    expect(await info((await open.convert(drawing, 'svg', 'pdf')).bytes)).toMatch(
      /Page size:\s+22[45].* x 11[23]/,
    )
  })
})

describe('what a page may reach', () => {
  test('files by the policy, with the caller’s header', async () => {
    asked.length = 0
    const source = body(
      `<link rel="stylesheet" href="${inside}/style.css"><img src="${inside}/red.png" loading="lazy"><p>one<p>two`,
    )
    const { bytes, warnings } = await open.convert(source, 'html', 'pdf', { authorization: 'Bearer egress' })
    expect(warnings).toEqual([])
    expect(await pagesOf(bytes)).toBe(2)
    expect(await ask(place, bytes, 'pdfimages', '-list', '@')).toMatch(/image\s+40\s+40/)
    expect(asked.map(({ authorization }) => authorization)).toEqual(['Bearer egress', 'Bearer egress'])
  })

  test.each([
    ['an address inside', ['picture'], `<img src="${inside}/red.png">`],
    ['cloud metadata', ['picture'], '<img src="http://169.254.169.254/latest/meta-data/">'],
    ['its decimal form', ['web'], '<link rel="stylesheet" href="http://2852039166/">'],
    ['a frame', ['web'], `<iframe src="${inside}/red.png"></iframe>`],
    [
      'a font',
      ['web'],
      `<style>@font-face{font-family:F;src:url(${inside}/f.woff2)}p{font-family:F}</style><p>x`,
    ],
    [
      'a style sheet',
      ['web', 'picture'],
      `<style>@import "${inside}/style.css"; p{background:url(${inside}/red.png)}</style><p>x`,
    ],
    ['a relative address', ['picture'], '<img src="picture.png">'],
  ])('refuses with a reason: %s', async (_name, kinds, content) => {
    asked.length = 0
    const { warnings } = await strict.convert(body(content), 'html', 'pdf')
    expect(warnings.map(({ code }) => code)).toEqual(kinds.map((kind) => `${kind}.not-loaded`))
    expect(warnings[0]?.message).not.toMatch(/127\.0|169\.254|2852/)
    expect(asked).toEqual([])
  })

  test.each(['object data', 'embed src'])(
    'a refused style sheet and an <%s> hold nothing up',
    async (how) => {
      const content = `<html><head><link rel="stylesheet" href="${inside}/a.css"></head><body><p>kept<${how}="${inside}/red.png"></body></html>`
      const { bytes } = await strict.convert(content, 'html', 'pdf', { deadlineMs: 20_000 })
      expect((await text(bytes)).trim()).toBe('kept')
    },
  )

  test('files of the machine are not shown', async () => {
    const secret = join(folder, 'secret.html')
    writeFileSync(secret, 'SECRET', { mode: 0o644 })
    const content = `<iframe src="file://${secret}"></iframe><object data="file://${secret}"></object><embed src="file://${secret}">`
    expect(await text((await strict.convert(body(`${content}end`), 'html', 'pdf')).bytes)).not.toContain(
      'SECRET',
    )
  })

  test('a page that wants to be elsewhere stays', async () => {
    const { bytes } = await strict.convert(
      `<meta http-equiv="refresh" content="0;url=${inside}/">${body('<p>stays')}`,
      'html',
      'pdf',
    )
    expect((await text(bytes)).trim()).toBe('stays')
  })

  test('nothing of one document shows in the next', async () => {
    await strict.convert(body('<style>p{color:red}</style><p>first'), 'html', 'png')
    const { bytes } = await strict.convert(body('<p>second'), 'html', 'pdf')
    expect((await text(bytes)).trim()).toBe('second')
  })

  test('pictures in the page itself are drawn', async () => {
    const { bytes, warnings } = await strict.convert(
      body(
        `<img src="data:image/png;base64,${red.toString('base64')}" style="position:absolute;left:0;top:0">`,
      ),
      'html',
      'png',
    )
    expect(warnings).toEqual([])
    expect(await colourAt(bytes, 20, 20)).toBe('#ff0000')
  })
})

/** Those that end by themselves meanwhile, as the one that puts a print together does, are gone already. */
function killBelow(browser: number, like: RegExp): void {
  for (const { pid, args } of processesBelow(browser)) {
    if (!like.test(args)) continue
    try {
      kill(pid)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

describe('bad input', () => {
  const alive = async (engine = strict) => {
    expect(await pagesOf((await engine.convert(body('fine'), 'html', 'pdf')).bytes)).toBe(1)
  }

  test.each([
    ['empty', new Uint8Array(), 'html'],
    ['binary', Uint8Array.from({ length: 3000 }, (_, at) => (at * 31) & 255), 'html'],
    ['a drawing that is cut off', new TextEncoder().encode(drawing.slice(0, 120)), 'svg'],
  ])('%s is reported as unreadable', async (_name, bytes, from) => {
    await expect(strict.convert(bytes, from, 'pdf')).rejects.toMatchObject({ code: 'convert.document' })
    await alive()
  })

  test('a page cut off is read as far as it goes', async () => {
    const { bytes } = await strict.convert(page.slice(0, page.indexOf('<table>')), 'html', 'pdf')
    expect(await text(bytes)).toContain('12 €')
  })

  test.each([
    ['a picture of 500 megapixels', '<div style="width:25000px;height:20000px">x</div>', 'png'],
    ['a page too high for the format', '<div style="height:20000px">x</div>', 'webp'],
  ])('%s is refused', async (_name, content, to) => {
    await expect(strict.convert(body(content), 'html', to)).rejects.toMatchObject({
      code: 'convert.document',
    })
    await alive()
  })

  test.each([
    ['by its address', 'html', body(`<img src="${inside}/huge.png">seen`)],
    ['in the page', 'html', body(`<img src="${hugeUri}">seen`)],
    [
      'in its styles, escaped',
      'html',
      body(`<p style="background:url(${hugeUri.replaceAll('+', '%2B')})">seen`),
    ],
    [
      'in a drawing',
      'svg',
      drawing.replace('</svg>', `<image href="${hugeUri}"/><text y="20">seen</text></svg>`),
    ],
  ])('a picture of 500 megapixels is omitted with a warning: %s', async (_name, from, content) => {
    const { bytes, warnings } = await open.convert(content, from, 'pdf')
    expect(warnings).toMatchObject([
      {
        code: expect.stringContaining('.not-loaded'),
        message: expect.stringContaining('more than 100 megapixels'),
      },
    ])
    expect(await text(bytes)).toContain('seen')
    expect(bytes.length).toBeLessThan(100_000)
  })

  test('a page that needs longer than it has is ended', async () => {
    const endless = `<table>${'<tr><td>a<td>b</tr>'.repeat(400_000)}</table>`
    await expect(strict.convert(body(endless), 'html', 'pdf', { deadlineMs: 1500 })).rejects.toMatchObject({
      code: 'convert.timeout',
    })
    await alive()
  })

  test('scripts that loop for ever do nothing', async () => {
    const { bytes } = await strict.convert(
      body('<script>for(;;);</script><svg onload="for(;;);"></svg><p>done'),
      'html',
      'pdf',
    )
    expect((await text(bytes)).trim()).toBe('done')
  })

  const use = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><use href="other.svg#a"/></svg>'
  test.each([
    ['a drawing', 'svg', use],
    ['a page', 'html', body(use)],
    ['a page in a page', 'html', body(`<iframe srcdoc="${use.replaceAll('"', "'")}"></iframe>`)],
  ])('a part of another file that is refused does not keep %s waiting', async (_, from, text) => {
    const made = await strict.convert(text, from, 'pdf', { deadlineMs: 30_000 })
    expect(await pagesOf(made.bytes)).toBe(1)
  })

  test('a browser killed in the middle of a document is replaced, and the document made', async () => {
    await alive()
    const running = strict.convert(
      body(`<table>${'<tr><td>a<td>b</tr>'.repeat(20_000)}</table>`),
      'html',
      'pdf',
      { deadlineMs: 100_000 },
    )
    await new Promise((resolve) => setTimeout(resolve, 150))
    const [pid] = strict.engine.stats()?.pids ?? []
    kill(pid)
    expect(await pagesOf((await running).bytes)).toBeGreaterThan(100)
    await alive()
  })

  test('a browser that has lost all of its helpers is replaced, and the document is made', async () => {
    await alive()
    const before = strict.engine.stats()?.pids ?? []
    killBelow(before[0] as number, /--type=/)
    const made = await strict.convert(body('fine'), 'html', 'pdf', { deadlineMs: 100_000 })
    expect(await pagesOf(made.bytes)).toBe(1)
    expect(strict.engine.stats()?.pids).not.toEqual(before)
  })

  test('a page process that is killed is replaced, and the document is made', async () => {
    await alive()
    const before = strict.engine.stats()?.pids
    const running = strict.convert(
      body(`<table>${'<tr><td>a<td>b</tr>'.repeat(8000)}</table>`),
      'html',
      'pdf',
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    killBelow(before?.[0] as number, /--type=renderer/)
    expect(await pagesOf((await running).bytes)).toBeGreaterThan(100)
    await alive()
  })

  test.each([
    [{ PaperSize: 'A99' }, 'PaperSize'],
    [{ MarginTop: '5 apples' }, 'MarginTop'],
    [{ Scale: 9 }, 'Scale'],
    [{ PixelWidth: 0 }, 'PixelWidth'],
    [{ Landscape: 'yes' }, 'Landscape'],
  ])('options out of range are named: %j', (options, name) => {
    const parsed = plugin.options.parse(options)
    expect(parsed.ok ? [] : parsed.issues.map(({ path }) => path)).toEqual([name])
  })

  test('warns about options without meaning for the output', async () => {
    const { warnings } = await strict.convert(body('x'), 'html', 'pdf', {
      options: { PixelWidth: 5, Zoom: 3 },
    })
    expect(warnings.map(({ code }) => code)).toEqual(['convert.option-ignored', 'convert.option-ignored'])
  })

  test('reports a missing browser', async () => {
    const missing = engineUnder<BrowserEngine>(plugin, originHost(), { browser: '/nowhere/chromium' })
    expect(await missing.engine.health?.()).toEqual({
      ok: false,
      because: 'Chromium is not at the configured path',
    })
    await expect(missing.convert(page, 'html', 'pdf')).rejects.toMatchObject({ code: 'convert.engine-off' })
  })

  test('reports a folder that cannot be written', async () => {
    const broken = engineUnder<BrowserEngine>(plugin, originHost(), { scratchDir: join(blocked, 'below') })
    await expect(broken.convert(page, 'html', 'pdf')).rejects.toMatchObject({ code: 'convert.disk' })
  })

  test('a folder with a long path is fine', async () => {
    const scratchDir = join(folder, 'a-rather-long-name-of-a-folder'.repeat(4))
    const deep = engineUnder<BrowserEngine>(plugin, originHost(), { scratchDir })
    chmodSync(folder, 0o755)
    expect(await pagesOf((await deep.convert(body('x'), 'html', 'pdf')).bytes)).toBe(1)
    await deep.engine.stop?.()
  })

  test.each([
    ['its share of documents', { recycleJobs: 2, pages: 1 }, 10],
    ['one that took more memory than it may keep', { recycleMb: 300, pages: 1 }, 6_000],
  ])('a browser is replaced after %s', async (_name, settings, rows) => {
    const small = engineUnder<BrowserEngine>(plugin, originHost(), settings)
    await small.convert(body('first'), 'html', 'pdf')
    const [before] = small.engine.stats()?.pids ?? []
    const large = `<table>${'<tr><td>a<td>b<td>c<td>d</tr>'.repeat(rows)}</table>`
    await small.convert(body(large), 'html', 'pdf', { deadlineMs: 60_000 })
    await expect.poll(() => small.engine.stats()?.pids.some((pid) => pid !== before)).toBe(true)
    expect(await pagesOf((await small.convert(body('last'), 'html', 'pdf')).bytes)).toBe(1)
    // Ending the old one may take longer than a page of the new one.
    await expect.poll(() => small.engine.stats()?.pids).not.toContain(before)
    await small.engine.stop?.()
  })

  test('leaves nothing behind', async () => {
    const host = originHost()
    const { engine, convert } = engineUnder<BrowserEngine>(plugin, host)
    await convert(body('x'), 'html', 'pdf')
    const pids = engine.stats()?.pids ?? []
    await engine.stop?.()
    expect(readdirSync(host.folder)).toEqual([])
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow()
  })
})
