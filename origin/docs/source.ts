/** The Markdown files that are served as pages: those that docs/index.md lists, in its order, then all others by name. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../../')

export interface DocSource {
  readonly id: string
  readonly path: string // from the root of the repository
  readonly title: string
  readonly markdown: string
}

const formatters = 'shared/template/formatters/REFERENCE.md'

const index = 'docs/index.md'

/** A section of the index: its heading and the ids of the pages that it lists. */
export interface DocSection {
  readonly heading: string
  readonly ids: readonly string[]
}

/** The sections of docs/index.md, which are also the list of pages beside each page. The index itself comes first. */
export function docSections(): readonly DocSection[] {
  const [, ...sections] = readFileSync(`${root}${index}`, 'utf8').split(/^## /m)
  const listed = sections.map((section) => ({
    heading: section.slice(0, section.indexOf('\n')).trim(),
    ids: [...section.matchAll(/\]\(([^)#]+\.md)\)/g)].flatMap(
      ([, file = '']) => idOf(posix.normalize(posix.join('docs', file))) ?? [],
    ),
  }))
  return [{ heading: '', ids: ['index'] }, ...listed]
}

export function docSources(): readonly DocSource[] {
  const names = (folder: string) =>
    readdirSync(`${root}${folder}`)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`)
  const paths = [...names('docs'), formatters, ...names('docs/decisions')]
  const inOrder = docSections().flatMap(({ ids }) => ids)
  const rank = (id: string) => (inOrder.includes(id) ? inOrder.indexOf(id) : inOrder.length)
  return paths
    .map((path): DocSource => {
      const markdown = readFileSync(`${root}${path}`, 'utf8')
      return { id: idOf(path)!, path, title: /^# (.+)$/m.exec(markdown)?.[1] ?? path, markdown }
    })
    .toSorted((a, b) => rank(a.id) - rank(b.id) || (a.id < b.id ? -1 : 1))
}

/** The id of the page of a file; undefined when the file has none. */
export function idOf(path: string): string | undefined {
  if (path === formatters) return 'formatters'
  if (path === 'README.md') return 'index'
  const [, name] = /^docs\/((?:decisions\/)?[\w-]+)\.md$/.exec(path) ?? []
  return name === 'decisions/index' ? 'decisions' : name?.replace('/', '-')
}

export const pathOfPicture = (path: string): string => `${root}${path}`
