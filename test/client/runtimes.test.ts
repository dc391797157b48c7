import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import * as client from 'platen/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Target } from '../contract/http/client.ts'
import { startBrowser } from '../helpers/browser.ts'
import { originTarget } from '../helpers/origin-target.ts'
import { expected, useEverything } from './scenario.ts'

/** The client as it is shipped. `test/edge/client.test.ts` runs the same in workerd. */

let target: Target
beforeAll(async () => {
  target = await originTarget()
})
afterAll(() => target?.stop())

it('Node: everything that a program does with it', async () => {
  expect(await useEverything(client, { url: `${target.url}/` })).toEqual(expected)
})

it('Node: streams that are not sent as they come', async () => {
  expect(await useEverything(client, { url: target.url, streams: false })).toEqual(expected)
})

it('a browser, from a page of another site', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import * as client from 'platen/client'
        import { useEverything } from './scenario.ts'
        globalThis.result = useEverything(client, { url: ${JSON.stringify(target.url)} }).catch((error) => String(error?.stack))`,
      resolveDir: new URL('.', import.meta.url).pathname,
    },
    alias: { 'platen/client': new URL('../../client/built/index.js', import.meta.url).pathname },
    bundle: true,
    write: false,
    format: 'esm',
  })
  const page = createServer((request, response) => {
    const script = request.url === '/page.js'
    response.writeHead(200, { 'content-type': script ? 'text/javascript' : 'text/html' })
    response.end(script ? outputFiles[0]!.text : '<script type="module" src="/page.js"></script>')
  })
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  const { browser, stop } = await startBrowser()
  try {
    const tab = await browser.newPage()
    await tab.goto(`http://127.0.0.1:${(page.address() as AddressInfo).port}/`)
    await tab.waitForFunction('globalThis.result !== undefined')
    expect(await tab.evaluate('globalThis.result')).toEqual(expected)
  } finally {
    await stop()
    page.close()
  }
})

it('has no dependencies, and needs nothing but web standards', () => {
  const manifest = JSON.parse(
    readFileSync(new URL('../../client/package.json', import.meta.url), 'utf8'),
  ) as object
  expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([])
})
