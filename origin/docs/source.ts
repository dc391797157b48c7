/** The Markdown files that are served as pages, in the order of their list. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../../')

export interface DocSource {
  readonly id: string
  readonly path: string // from the root of the repository
  readonly title: string
  readonly markdown: string
}

const formatters = 'shared/template/formatters/REFERENCE.md'

/** The pages that readers need first, in this order; all others follow by name. */
const first = [
  'index',
  'getting-started',
  'templates',
  'template-language',
  'formatters',
  'api',
  'conversions',
  'cli',
  'studio',
  'configuration',
  'edge',
  'cluster',
  'hosted',
  'operations',
  'limits',
  'plugins',
  'migration',
  'CONTRIBUTING',
  'architecture',
  'glossary',
  'decisions',
]

export function docSources(): readonly DocSource[] {
  const names = (folder: string) =>
    readdirSync(`${root}${folder}`)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`)
  const paths = [...names('docs'), formatters, ...names('docs/decisions')]
  return paths
    .map((path): DocSource => {
      const markdown = readFileSync(`${root}${path}`, 'utf8')
      return { id: idOf(path)!, path, title: /^# (.+)$/m.exec(markdown)?.[1] ?? path, markdown }
    })
    .toSorted((a, b) => rank(a.id) - rank(b.id) || (a.id < b.id ? -1 : 1))
}

const rank = (id: string) => {
  const start = first.indexOf(id)
  return start < 0 ? first.length : start
}

/** The id of the page of a file; undefined when the file has none. */
export function idOf(path: string): string | undefined {
  if (path === formatters) return 'formatters'
  if (path === 'README.md') return 'index'
  const [, name] = /^docs\/((?:decisions\/)?[\w-]+)\.md$/.exec(path) ?? []
  return name === 'decisions/index' ? 'decisions' : name?.replace('/', '-')
}

export const pathOfPicture = (path: string): string => `${root}${path}`
