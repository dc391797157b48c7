import type { Protocol } from 'puppeteer-core'
import { AppError } from '../../../shared/errors/app-error.ts'
import { type EncodePicture, longestSide, mostPixels } from '../../../shared/plugin/pictures.ts'
import type { BrowserOptions } from './options.ts'
import type { Page } from './page.ts'
import type { PageFacts } from './page-facts.ts'

export type Picture = 'png' | 'jpg' | 'webp'

/** px: the width of a window on a common screen, and the least height of one. */
const usualWindow = { width: 1280, height: 720 }
/** The browser draws no more rows than this at once; what is higher is drawn in pieces that are joined. */
const rowsAtOnce = 8_000

export function windowOf(options: BrowserOptions): { readonly width: number; readonly height: number } {
  return {
    width: options.PixelWidth ?? usualWindow.width,
    height: Math.min(options.PixelHeight ?? usualWindow.height, rowsAtOnce),
  }
}

/**
 * Draws the page: as wide as its window or its widest content, as high as its content, or exactly as the options say.
 * Throws 'convert.document' for pages that are larger than the format or the service can hold.
 */
export async function drawPage(
  page: Page,
  facts: PageFacts,
  {
    to,
    options,
    encode,
  }: { readonly to: Picture; readonly options: BrowserOptions; readonly encode: EncodePicture | undefined },
): Promise<Uint8Array> {
  const size = await sizeOf(page, facts, options)
  const scale = scaleOf(facts, size, options)
  checkSize({ width: Math.ceil(size.width * scale), height: Math.ceil(size.height * scale) }, to)
  const translucent = options.Translucent === 1 && to !== 'jpg'
  if (translucent)
    await page.session.send('Emulation.setDefaultBackgroundColorOverride', {
      color: { r: 0, g: 0, b: 0, a: 0 },
    })
  try {
    const stretched =
      facts.drawing !== undefined && options.PixelWidth !== undefined && options.PixelHeight !== undefined
    const direct = !stretched && needsNoEncoder(size.height * scale, to, options)
    const tiles = await tilesOf(
      page,
      { ...size, scale },
      direct ? directFormat(to, options) : { format: 'png' },
    )
    const [only] = tiles
    if (direct && only !== undefined) return only
    if (encode === undefined)
      throw new AppError('convert.engine-off', {
        engine: 'Chromium',
        because: 'pictures cannot be encoded here',
      })
    return await encode({
      tiles,
      to,
      ...(stretched && { width: options.PixelWidth, height: options.PixelHeight }),
      greyscale: options.ColorMode === 1,
      quality: options.Quality,
      compression: options.Compression,
      interlaced: options.Interlaced === 1,
      opaque: !translucent,
    })
  } finally {
    if (translucent) await page.session.send('Emulation.setDefaultBackgroundColorOverride', {})
  }
}

interface Size {
  readonly width: number
  readonly height: number
}

async function sizeOf(page: Page, { drawing }: PageFacts, options: BrowserOptions): Promise<Size> {
  if (drawing !== undefined) {
    const size = {
      width: Math.max(1, Math.ceil(drawing.width)),
      height: Math.max(1, Math.ceil(drawing.height)),
    }
    // A drawing without a size of its own fills its window.
    await page.viewport({
      width: Math.min(size.width, rowsAtOnce),
      height: Math.min(size.height, rowsAtOnce),
    })
    return size
  }
  const { cssContentSize } = await page.session.send('Page.getLayoutMetrics')
  return {
    width: options.PixelWidth ?? Math.ceil(cssContentSize.width),
    height: options.PixelHeight ?? Math.max(1, Math.ceil(cssContentSize.height)),
  }
}

/** A drawing is drawn larger or smaller; a page is laid out in another window instead. */
function scaleOf({ drawing }: PageFacts, size: Size, { PixelWidth, PixelHeight }: BrowserOptions): number {
  if (drawing === undefined || (PixelWidth === undefined && PixelHeight === undefined)) return 1
  return Math.max((PixelWidth ?? 0) / size.width, (PixelHeight ?? 0) / size.height)
}

function checkSize({ width, height }: Size, to: Picture): void {
  const longest = longestSide[to]
  const because =
    width > longest || height > longest
      ? `its page is ${width} by ${height} pixels, and ${to} holds at most ${longest} on a side`
      : width * height > mostPixels
        ? `its page is ${width} by ${height} pixels, more than ${mostPixels} together`
        : undefined
  if (because !== undefined)
    throw new AppError('convert.document', { engine: 'Chromium', from: 'page', because })
}

/** What the browser can write as it is asked for. */
function needsNoEncoder(height: number, to: Picture, options: BrowserOptions): boolean {
  if (height > rowsAtOnce || options.ColorMode === 1) return false
  return to !== 'png' || (options.Compression === undefined && options.Interlaced !== 1)
}

function directFormat(to: Picture, options: BrowserOptions): Protocol.Page.CaptureScreenshotRequest {
  if (to === 'png') return { format: 'png' }
  return { format: to === 'jpg' ? 'jpeg' : 'webp', quality: options.Quality ?? (to === 'jpg' ? 100 : 90) }
}

async function tilesOf(
  page: Page,
  { width, height, scale }: Size & { readonly scale: number },
  how: Protocol.Page.CaptureScreenshotRequest,
): Promise<readonly Uint8Array[]> {
  const tiles: Uint8Array[] = []
  const rows = Math.max(1, Math.floor(rowsAtOnce / scale))
  for (let y = 0; y < height; y += rows) {
    const clip = { x: 0, y, width, height: Math.min(rows, height - y), scale }
    const { data } = await page.session.send('Page.captureScreenshot', {
      ...how,
      clip,
      captureBeyondViewport: true,
      optimizeForSpeed: how.format === 'png' && height > rows,
    })
    tiles.push(Buffer.from(data, 'base64'))
  }
  return tiles
}
