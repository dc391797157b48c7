/** The field `downloadFrom`: files that the service fetches itself. */

import { PluginError, type RouteFile, type RouteHost } from 'platen/plugin'
import { entryOf } from '../../../shared/entry-of.ts'
import { headersIn, invalid, parsedJson } from './invalid.ts'

const maxDownloads = 50
const fields: Readonly<Record<string, string>> = {
  '': 'files',
  embedded: 'embeds',
  watermark: 'watermark',
  stamp: 'stamp',
}

/** Fetches the files in a JSON list, one after another, and treats them as if they had been uploaded. */
export async function downloadedFiles(text: string, host: RouteHost): Promise<readonly RouteFile[]> {
  if (text.trim() === '') return []
  const list = parsedJson(text, "form field 'downloadFrom'")
  if (!Array.isArray(list)) throw invalid("form field 'downloadFrom' must be a list")
  if (list.length > maxDownloads)
    throw invalid(`form field 'downloadFrom' has more than ${maxDownloads} addresses`)
  const files: RouteFile[] = []
  for (const entry of list) files.push(await downloaded(entry, host))
  return files
}

async function downloaded(entry: unknown, host: RouteHost): Promise<RouteFile> {
  if (typeof entry !== 'object' || entry === null) throw invalid("'downloadFrom' must be a list of objects")
  const { url, extraHttpHeaders, embedded, field = '' } = entry as Readonly<Record<string, unknown>>
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw invalid("'url' in 'downloadFrom' must be an HTTP address")
  const target = embedded === true ? 'embeds' : entryOf(fields, String(field))
  if (target === undefined)
    throw invalid(`'field' in 'downloadFrom' must be one of embedded, watermark, stamp`)
  const headers = headersIn(extraHttpHeaders, "'extraHttpHeaders' in 'downloadFrom'")
  const answer = await host.fetch(url, { headers })
  if (answer.status < 200 || answer.status > 299)
    throw new PluginError(
      'plugin.request',
      `A file of 'downloadFrom' answers with the status ${answer.status}.`,
    )
  const name = fileNameIn(answer.headers['content-disposition'] ?? '')
  if (name === undefined)
    throw new PluginError(
      'plugin.request',
      `A file of 'downloadFrom' has no name in its Content-Disposition header.`,
    )
  return { field: target, name, bytes: answer.body }
}

/** The file name of a Content-Disposition header, without folders. RFC 6266. */
function fileNameIn(header: string): string | undefined {
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']{0,20}'([^;\s]{1,600})/i.exec(header)?.[1]
  const unencoded = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.){1,300})"|([^;\s"]{1,300}))/i.exec(header)
  const name =
    (encoded === undefined ? undefined : decoded(encoded)) ??
    unencoded?.[1]?.replace(/\\(.)/g, '$1') ??
    unencoded?.[2]
  return name?.split(/[\\/]/).at(-1) || undefined
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
