import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorsOf, docPages, nodesOf, readPage, root, rowsOf, textOf } from '../helpers/markdown-pages.ts'

const pages = docPages()

describe('every page', () => {
  it.each(pages.map((page) => [page.path, page] as const))(
    '%s: links and anchors lead somewhere',
    (path, { tree }) => {
      const broken: string[] = []
      for (const { url } of [
        ...nodesOf(tree, 'link'),
        ...nodesOf(tree, 'image'),
        ...nodesOf(tree, 'definition'),
      ]) {
        if (/^(?:https?|mailto):/.test(url)) continue
        const [file = '', anchor] = url.split('#')
        const target =
          file === '' ? path : relative(root, normalize(join(root, dirname(path), decodeURI(file))))
        if (target.startsWith('..') || !existsSync(join(root, target))) broken.push(url)
        else if (anchor !== undefined && !anchorsOf(readPage(target).tree).has(anchor)) broken.push(url)
      }
      expect(broken).toEqual([])
    },
  )

  it.each(pages.map((page) => [page.path, page] as const))(
    '%s: one title, and it comes first',
    (_path, { tree }) => {
      const titles = nodesOf(tree, 'heading').filter(({ depth }) => depth === 1)
      expect(titles).toHaveLength(1)
      expect(tree.children[0]).toBe(titles[0])
    },
  )
})

describe('files that pages name', () => {
  it.each(pages.map((page) => [page.path, page] as const))('%s: exist', (_path, { tree }) => {
    const named = nodesOf(tree, 'inlineCode').map(({ value }) => value)
    const missing = named.filter(
      (name) =>
        /^(?:shared|plugins|origin|edge|test|docs)\/[\w./-]+$/.test(name) && !existsSync(join(root, name)),
    )
    expect(missing).toEqual([])
  })
})

describe('the README of a folder', () => {
  const files = ['shared', 'plugins', 'origin', 'edge'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name))),
  )
  const readmes = files.filter((file) => basename(file) === 'README.md')
  it.each(readmes)('%s: has at most 40 lines, and the source files that it names exist', (path) => {
    const { source, tree } = readPage(path)
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
    const named = nodesOf(tree, 'inlineCode').map(({ value }) => value)
    const missing = named
      .filter((name) => /^[\w./-]+\.(?:ts|mjs)$/.test(name) && !existsSync(join(root, name)))
      .filter(
        (name) => !files.some((file) => file.startsWith(`${dirname(path)}/`) && file.endsWith(`/${name}`)),
      )
    expect(missing).toEqual([])
  })
})

describe('README.md', () => {
  const readme = readPage('README.md')
  it('has at most 150 lines', () => {
    expect(readme.source.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
  })
  it('shows a picture of at most 200 KB', () => {
    const pictures = nodesOf(readme.tree, 'image')
    expect(pictures.length).toBeGreaterThan(0)
    for (const { url, alt } of pictures) {
      expect(readFileSync(join(root, url)).byteLength).toBeLessThan(200_000)
      expect(alt).toMatch(/\w+ \w+ \w+/)
    }
  })
})

describe('docs/index.md', () => {
  it('links to every page of the folder', () => {
    const linked = nodesOf(readPage('docs/index.md').tree, 'link').map(({ url }) => url.replace(/#.*/, ''))
    const files = readdirSync(join(root, 'docs')).filter(
      (name) => name.endsWith('.md') && name !== 'index.md',
    )
    expect(files.filter((name) => !linked.includes(name))).toEqual([])
  })
})

describe('docs/glossary.md', () => {
  const tables = nodesOf(readPage('docs/glossary.md').tree, 'table').map(rowsOf)
  const entries = tables.filter(([head]) => head?.[3] === 'not').flatMap(([, ...rows]) => rows)
  it('has some hundred terms, each with a meaning and a source', () => {
    expect(entries.length).toBeGreaterThanOrEqual(80)
    expect(entries.length).toBeLessThanOrEqual(140)
    for (const [term, meaning, source] of entries) expect([term, meaning, source], term).not.toContain('')
  })
  it('gives each term once', () => {
    const terms = entries.map(([term]) => term)
    expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([])
  })
})

describe('comments in the code', () => {
  const files = ['shared', 'plugins', 'origin', 'edge', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|mjs|py)$/.test(name) && !name.includes('node_modules'))
      .map((name) => {
        const path = join(folder, name)
        return { path, text: readFileSync(join(root, path), 'utf8').replace(/\n\s*(?:\*|\/\/|#)?\s*/g, ' ') }
      }),
  )
  const sectionsOf = (page: string) =>
    new Set(
      nodesOf(readPage(page).tree, 'heading').flatMap(
        (heading) => /^(?:Appendix )?((?:[B]\.)?\d+(?:\.\d+)*)/.exec(textOf(heading))?.[1] ?? [],
      ),
    )
  const cited = [
    [
      'template language',
      'docs/template-language.md',
      /template language ((?:(?:B\.)?\d+(?:\.\d+)*(?:, | and | to |; )?)+)/gi,
    ],
    ['specification', 'docs/api.md', /(?<!Format )\bspecification ((?:\d+(?:\.\d+)*(?:, | and | to )?)+)/gi],
  ] as const

  it.each(cited)('cite sections of the %s that exist in %s', (_name, page, pattern) => {
    const sections = sectionsOf(page)
    const missing: string[] = []
    for (const { path, text } of files)
      for (const [, list = ''] of text.matchAll(pattern))
        for (const [section] of list.matchAll(/(?:B\.)?\d+(?:\.\d+)*/g))
          if (!sections.has(section)) missing.push(`${path}: ${section}`)
    expect(missing).toEqual([])
  })

  it('cite pages of docs/ that exist', () => {
    const missing = files.flatMap(({ path, text }) =>
      [...text.matchAll(/\bdocs\/[\w/-]+\.md\b/g)].flatMap(([page]) =>
        existsSync(join(root, page)) ? [] : [`${path}: ${page}`],
      ),
    )
    expect(missing).toEqual([])
  })

  it('cite nothing that is not in the repository', () => {
    const outside = files.flatMap(({ path, text }) =>
      [
        ...text.matchAll(
          /\b(?:api-decisions|house\.md|style\.md|instant-engine\.md|shared\/design|shared\/spec)\b/gi,
        ),
      ].map(([name]) => `${path}: ${name}`),
    )
    expect(outside.filter((entry) => !entry.startsWith('test/docs/'))).toEqual([])
  })
})
