import { PluginError, type RouteFile, type RouteHost } from 'platen/plugin'
import { measureImage, pictureTypes } from '../../../shared/images/measure.ts'

/** The longer side of the page, in CSS pixels; the picture keeps all of its pixels. */
const longerSide = 1000

/**
 * Creates an HTML page that shows only a picture and has its aspect ratio. Throws 'plugin.request' for a file that is
 * not a picture.
 */
export function pictureAsPdf({ name, bytes }: RouteFile, host: RouteHost): Promise<Uint8Array> {
  const picture = measureImage(bytes)
  if (picture === undefined)
    throw new PluginError('plugin.request', `Invalid form data: '${name.slice(0, 60)}' is not a picture`)
  const scale = longerSide / Math.max(picture.width, picture.height)
  const [width, height] = [picture.width, picture.height].map((side) => Math.max(1, Math.round(side * scale)))
  const uri = `data:${pictureTypes[picture.kind]};base64,${Buffer.from(bytes).toString('base64')}`
  const style = `@page{size:${width}px ${height}px;margin:0}body{margin:0}img{display:block;width:${width}px;height:${height}px}`
  const html = `<!doctype html><html><head><title></title><style>${style}</style></head><body><img src="${uri}" alt=""></body></html>`
  return host.convert({
    source: new TextEncoder().encode(html),
    from: 'html',
    to: 'pdf',
    letter: 'I',
  })
}
