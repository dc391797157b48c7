/**
 * The routes of Gotenberg 8, implemented with the engines of this service. They are off unless `SERVICE_PLUGINS`
 * names this folder. Source: the public documentation of Gotenberg 8.
 */
import { defineRoutes, type PluginRoute } from 'platen/plugin'
import { convertRoute, type Source, screenshotRoute } from './chromium.ts'
import { convertOffice } from './libreoffice.ts'
import {
  convertPdfRoute,
  embedRoute,
  encryptRoute,
  facturxRoute,
  flattenRoute,
  mergeRoute,
  readBookmarksRoute,
  readMetadataRoute,
  rotateRoute,
  splitRoute,
  stampRoute,
  watermarkRoute,
  writeBookmarksRoute,
  writeMetadataRoute,
} from './pdf-engines.ts'
import { refuse, textReply } from './reply.ts'
import { withWebhook } from './webhook.ts'

/** The version that the routes correspond to; clients use its major number. */
const version = '8.0.0'
const sources: readonly Source[] = ['url', 'html', 'markdown']

const post = (path: string, run: PluginRoute['run']): PluginRoute => ({
  method: 'POST',
  path,
  scope: 'account',
  run: withWebhook(run),
  refuse,
})

const pdfEngines: Readonly<Record<string, PluginRoute['run']>> = {
  merge: mergeRoute,
  split: splitRoute,
  convert: convertPdfRoute,
  encrypt: encryptRoute,
  flatten: flattenRoute,
  watermark: watermarkRoute,
  stamp: stampRoute,
  rotate: rotateRoute,
  embed: embedRoute,
  'factur-x': facturxRoute,
  'metadata/read': readMetadataRoute,
  'metadata/write': writeMetadataRoute,
  'bookmarks/read': readBookmarksRoute,
  'bookmarks/write': writeBookmarksRoute,
}

/** The state of the browser and the office, in the format of Gotenberg's probes: 503 if one of them does not work. */
const health: PluginRoute['run'] = async (_request, host) => {
  const engines = new Map((await host.health()).map(({ id, ok }) => [id, ok]))
  const statusOf = (id: string) => ({ status: engines.get(id) === true ? 'up' : 'down' })
  const details = { chromium: statusOf('chromium'), libreoffice: statusOf('libreoffice') }
  const isUp = Object.values(details).every(({ status }) => status === 'up')
  return {
    status: isUp ? 200 : 503,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ status: isUp ? 'up' : 'down', details }),
  }
}

export default defineRoutes({
  kind: 'routes',
  contract: 1,
  id: 'gotenberg',
  routes: [
    ...sources.map((source) => post(`/forms/chromium/convert/${source}`, convertRoute(source))),
    ...sources.map((source) => post(`/forms/chromium/screenshot/${source}`, screenshotRoute(source))),
    post('/forms/libreoffice/convert', convertOffice),
    ...Object.entries(pdfEngines).map(([path, run]) => post(`/forms/pdfengines/${path}`, run)),
    {
      method: 'GET',
      path: '/health',
      scope: 'open',
      run: health,
    },
    {
      method: 'GET',
      path: '/version',
      scope: 'open',
      run: async (request) => textReply(200, version, request),
    },
  ],
})
