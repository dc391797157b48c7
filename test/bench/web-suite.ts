import { rmSync } from 'node:fs'
import puppeteer from 'puppeteer-core'
import { machineFontsNow } from '../../origin/fonts/index.ts'
import chromium from '../../plugins/engines/chromium/index.ts'
import { findBrowser } from '../../plugins/engines/chromium/installation.ts'
import instant from '../../plugins/engines/instant/index.ts'
import { engineUnder, originHost } from '../helpers/engines.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { markdownTable, median, quantile, short } from './statistics.ts'

interface WebPeer {
  convert(html: string): Promise<unknown>
  stop(): Promise<unknown>
}

const rounds = 30
const count = 40

/** One page: a heading, some text, a table of thirty rows. */
const page = `<!doctype html><html><head><title>Invoice</title><style>body{font:11pt Carlito}table{border-collapse:collapse;width:100%}td{border:1px solid #999;padding:3px 6px}</style></head>
<body><h1>Invoice 2026-118</h1>${'<p>Thank you for your order. The goods remain our property until they are paid for in full.</p>'.repeat(3)}
<table>${Array.from({ length: 30 }, (_, row) => `<tr><td>${row + 1}</td><td>Article number ${row * 7}</td><td>EUR ${(row * 13.37).toFixed(2)}</td></tr>`).join('')}</table></body></html>`

const wholeBrowser = '/usr/bin/chromium'

/** HTML to PDF with engines C and I, against puppeteer on warm pages of the same browser, and of the whole Chromium. */
export async function webSuite(): Promise<object> {
  const found = await findBrowser(undefined)
  if (found.kind === 'none') throw new Error(found.because)
  const product = productPeer()
  const ownLayout = layoutPeer()
  const bare = await barePeer(found.program)
  const whole = await barePeer(wholeBrowser)
  const times: Record<string, number[]> = {
    'engine C': [],
    'bare page': [],
    'bare page, whole Chromium': [],
    'engine I': [],
  }
  for (let round = -5; round < rounds; round++) {
    for (const [name, peer] of [
      ['engine C', product],
      ['bare page', bare],
      ['bare page, whole Chromium', whole],
      ['engine I', ownLayout],
    ] as const) {
      const started = performance.now()
      await peer.convert(page)
      if (round >= 0) times[name]?.push(performance.now() - started)
    }
  }
  const rates: Record<string, number[]> = {}
  const who = { 'engine C': product, 'bare pages': bare, 'bare pages, whole Chromium': whole }
  for (let round = -1; round < 5; round++) {
    for (const [name, peer] of Object.entries(who)) {
      for (const callers of [1, 4]) {
        const rate = await perSecond(peer, callers)
        if (round >= 0) (rates[`${name}, ${callers}`] ??= []).push(rate)
      }
    }
  }
  await Promise.all([product.stop(), bare.stop(), whole.stop(), ownLayout.stop()])
  const p50 = Object.values(times).map((values) => median(values))
  const cells = Object.values(times).map(
    (values) => `${short(median(values))} (${short(quantile(values, 0.95))})`,
  )
  const head = ['ms p50 (p95)', ...Object.keys(times), 'C / bare', 'bare / I']
  console.log(
    `\n## HTML to PDF, one page, one caller\n\n${markdownTable(head, [['invoice page', ...cells, ratio(p50[0], p50[1]), ratio(p50[1], p50[3])]])}`,
  )
  const throughput = Object.keys(who).map((name) => {
    const [one, four] = [median(rates[`${name}, 1`] ?? []), median(rates[`${name}, 4`] ?? [])]
    return [name, short(one), short(four), `${short(four / one)} ×`]
  })
  console.log(
    `\n## HTML to PDF, throughput\n\n${markdownTable(['pages/s', 'one caller', 'four callers', 'four / one'], throughput)}`,
  )
  return { times, rates }
}

const ratio = (a = 0, b = 1): string => `${short(a / b)} ×`

function productPeer(): WebPeer {
  const { convert, engine } = engineUnder(chromium, originHost())
  return { convert: (html) => convert(html, 'html', 'pdf'), stop: async () => engine.stop?.() }
}

/** Engine I with the fonts of this machine. */
function layoutPeer(): WebPeer {
  const fonts = machineFontsNow({ dataDir: temporaryFolder('bench-fonts') })
  const { convert, engine } = engineUnder(instant, { ...originHost(), fonts })
  return { convert: (html) => convert(html, 'html', 'pdf'), stop: async () => engine.stop?.() }
}

async function barePeer(program: string): Promise<WebPeer> {
  const folder = temporaryFolder('bench-browser')
  const browser = await puppeteer.launch({
    executablePath: program,
    headless: program.endsWith('headless-shell') ? 'shell' : true,
    pipe: true,
    userDataDir: folder,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const open = async () => (await browser.createBrowserContext()).newPage()
  const idle = await Promise.all([open(), open(), open(), open()])
  return {
    async convert(html) {
      const warm = idle.pop()
      if (warm === undefined) throw new Error('More callers than pages.')
      await warm.setContent(html)
      const pdf = await warm.pdf({ format: 'A4', printBackground: true })
      idle.push(warm)
      return pdf
    },
    async stop() {
      await browser.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function perSecond(peer: WebPeer, callers: number): Promise<number> {
  const started = performance.now()
  let left = count
  const caller = async () => {
    while (left-- > 0) await peer.convert(page)
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return (count * 1000) / (performance.now() - started)
}
