/** Inserts the files of a form into the page that refers to them, since a page has no folder here. */

import type { RouteFile } from 'platen/plugin'
import { entryOf } from '../../../shared/entry-of.ts'
import { extensionOf } from './request.ts'

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  css: 'text/css',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
}

const text = (file: RouteFile): string => new TextDecoder().decode(file.bytes)

/**
 * Embeds style sheets as style elements, and pictures and fonts as data URIs, in the page and in its style sheets.
 */
export function withAssets(html: string, files: readonly RouteFile[]): string {
  const byName = new Map(files.map((file) => [file.name, file]))
  const uris = new Map<string, string>()
  const uriOf = (name: string): string | undefined => {
    const file = byName.get(decoded(name.replace(/^\.?\//, '')))
    const type = entryOf(types, extensionOf(name))
    if (file === undefined || type === undefined || type === 'text/css') return undefined
    const uri = uris.get(file.name) ?? `data:${type};base64,${Buffer.from(file.bytes).toString('base64')}`
    uris.set(file.name, uri)
    return uri
  }
  const inStyles = (css: string): string =>
    css.replace(/url\(\s*(["']?)([^"')]{1,500})\1\s*\)/g, (whole, _quote, name: string) => {
      const uri = uriOf(name)
      return uri === undefined ? whole : `url("${uri}")`
    })
  const styled = html.replace(/<link\b[^>]{0,2000}>/gi, (link) => {
    const name = /\bhref\s*=\s*["']?([^"'\s>]+)/i.exec(link)?.[1] ?? ''
    const sheet = byName.get(decoded(name.replace(/^\.?\//, '')))
    const isSheet = sheet !== undefined && extensionOf(sheet.name) === 'css'
    return isSheet ? `<style>${text(sheet).replaceAll('</style', '<\\/style')}</style>` : link
  })
  return inStyles(styled).replace(
    /\b(src|href)(\s*=\s*)(["'])([^"'>]{1,500})\3/gi,
    (whole, attribute, equals, quote, name: string) => {
      const uri = uriOf(name)
      return uri === undefined ? whole : `${attribute}${equals}${quote}${uri}${quote}`
    },
  )
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
