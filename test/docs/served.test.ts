import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderDocs } from '../../origin/docs/render.ts'
import { writeDocs } from '../../origin/docs/write.ts'
import { docsContract } from '../contract/http/docs.ts'
import { docPages } from '../helpers/markdown-pages.ts'
import { originTarget } from '../helpers/origin-target.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

docsContract('origin', async (docs) => {
  const target = await originTarget({ docs })
  return { fetch: (path, init) => fetch(target.url + path, init), stop: target.stop }
})

describe('the pages at /docs', () => {
  const pages = renderDocs()
  const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))

  it('are all pages of docs/', () => {
    const names = docPages()
      .map(({ path }) => /^docs\/(.+)\.md$/.exec(path)?.[1])
      .filter((name) => name !== undefined)
      .map((name) => (name === 'decisions/index' ? 'decisions' : name.replace('/', '-')))
    expect(Object.keys(pages).toSorted()).toEqual([...names, 'formatters'].toSorted())
  })

  it.each(Object.entries(pages))('%s: links lead to pages and headings that exist', (id, { html }) => {
    const broken = [...html.matchAll(/ href="(\/docs[^"]*|#[^"]*)"/g)].flatMap(([, href = '']) => {
      const [address = '', anchor] = href.split('#')
      const target = address === '' ? id : address.replace(/^\/docs\/?/, '') || 'index'
      const page = pages[target]
      return page !== undefined && (anchor === undefined || idsOf(page.html).has(decodeURI(anchor)))
        ? []
        : [href]
    })
    expect(broken).toEqual([])
  })

  it.each(Object.entries(pages))(
    '%s: holds all it needs, and its policy lets nothing else in',
    (_id, page) => {
      const { html, policy } = page
      expect(html).not.toMatch(/<(?:link|iframe|object|embed)\b|<\w[^>]*\s(?:src="(?!data:)|style=|on\w+=)/)
      expect(/<style>[\s\S]*?<\/style>/.exec(html)?.[0]).not.toMatch(/@import|url\(/)
      const hashes = (tag: RegExp) =>
        [...html.matchAll(tag)].map(
          ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
        )
      expect(policy).toContain(`style-src ${hashes(/<style>([\s\S]*?)<\/style>/g).join(' ')};`)
      expect(policy).toContain(`script-src ${hashes(/<script>([\s\S]*?)<\/script>/g).join(' ')};`)
    },
  )

  it('find every page by its title', () => {
    const index = /<script type="application\/json" id="index">([\s\S]*?)<\/script>/.exec(
      pages['index']!.html,
    )?.[1]
    const entries = JSON.parse(index!) as [string, string, [string, string][]][]
    const titles = new Map(entries.map(([id, title]) => [id, title]))
    expect([...titles.keys()].toSorted()).toEqual(Object.keys(pages).toSorted())
    for (const [id, title] of titles) expect(pages[id]!.html).toContain(`<title>${title} · platen</title>`)
  })

  it.each([
    ['a code of an error', 'errors', 'sign.no-key'],
    ['a code of a warning', 'errors', 'pdf.watermark-behind'],
    ['an environment variable', 'configuration', 'SERVICE_PREWARM'],
    ['an option of the command line', 'configuration', '--renderTimeout'],
    ['an option of PDF output', 'conversions', 'EncryptFile'],
    ['an endpoint', 'api', 'POST /template/lint'],
  ])('find %s, on the page that explains it', (_what, page, name) => {
    const json = /id="index">([\s\S]*?)<\/script>/.exec(pages['index']!.html)?.[1]
    const entries = JSON.parse(json!) as [string, string, [string, string][]][]
    const targets = entries.find(([id]) => id === page)?.[2] ?? []
    const [, anchor] = targets.find(([text]) => text.split(' ').includes(name) || text === name) ?? []
    expect(idsOf(pages[page]!.html)).toContain(anchor)
  })

  it('keep the anchor of a heading when a row of a table has the same name', () => {
    expect(pages['conversions']!.html).toContain('<h3 id="watermarks">')
    expect(pages['conversions']!.html).toContain('<tr id="watermarks-1">')
  })

  it('list the pages as docs/index.md does, in its sections', () => {
    const nav = /<nav class="pages"[\s\S]*?<\/nav>/.exec(pages['errors']!.html)?.[0] ?? ''
    expect([...nav.matchAll(/<p>([^<]+)<\/p>/g)].map(([, heading]) => heading)).toEqual([
      'For users',
      'For operators',
      'For contributors',
    ])
    const listed = [...nav.matchAll(/href="\/docs\/([^"]+)"/g)].map(([, id]) => id)
    expect(listed.slice(0, 4)).toEqual(['getting-started', 'templates', 'template-language', 'formatters'])
    const others = Object.keys(pages).filter((id) => id !== 'index' && !id.startsWith('decisions-'))
    expect(listed.toSorted()).toEqual(others.toSorted())
  })

  it('are written as assets of the edge: pages that are right stay, others are replaced or go', () => {
    const folder = join(temporaryFolder('docs'), 'assets')
    writeDocs(folder)
    const [stale, right, wrong] = ['gone.json', 'index.json', 'errors.json'].map((name) => join(folder, name))
    writeFileSync(stale!, '{}')
    utimesSync(right!, 1, 1)
    writeFileSync(wrong!, '{"cut')
    writeDocs(folder)
    expect(readdirSync(folder).toSorted()).toEqual(
      Object.keys(pages)
        .map((id) => `${id}.json`)
        .toSorted(),
    )
    for (const [id, page] of Object.entries(pages))
      expect(JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8'))).toEqual(page)
    expect(statSync(right!).mtimeMs).toBe(1000)
  })
})
