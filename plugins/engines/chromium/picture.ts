import type { Protocol } from 'puppeteer-core'
import { AppError } from '../../../shared/errors/app-error.ts'
import { type EncodePicture, maxPixels, maxSide } from '../../../shared/plugin/pictures.ts'
import type { BrowserOptions } from './options.ts'
import type { BrowserPage } from './page.ts'
import type { PageFacts } from './page-facts.ts'

export type ScreenshotFormat = 'png' | 'jpg' | 'webp'

/** The size of the window in px: the width of a common screen, and the minimum height. */
const defaultWindow = { width: 1280, height: 720 }
/** CSS Values and Units 4, 6.2. */
const pixelsPerInch = 96
/** The maximum number of rows that the browser draws in one screenshot. Taller pages are drawn in tiles that are joined. */
const tileRows = 8_000

export function windowOf(options: BrowserOptions): { readonly width: number; readonly height: number } {
  if (options.PixelWidth === undefined) return defaultWindow
  return {
    width: options.PixelWidth,
    height: Math.min(options.PixelHeight ?? defaultWindow.height, tileRows),
  }
}

/**
 * Draws the page as wide as its window or its widest content and as high as its content, or in the size of the options.
 * Throws 'convert.document' for pages that are larger than the format or the service can hold.
 */
export async function drawPage(
  page: BrowserPage,
  facts: PageFacts,
  {
    to,
    options,
    encode,
  }: {
    readonly to: ScreenshotFormat
    readonly options: BrowserOptions
    readonly encode: EncodePicture | undefined
  },
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
        because: 'this host cannot encode pictures',
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

interface PixelSize {
  readonly width: number
  readonly height: number
}

async function sizeOf(
  page: BrowserPage,
  { drawing }: PageFacts,
  options: BrowserOptions,
): Promise<PixelSize> {
  if (drawing !== undefined) {
    const size = {
      width: Math.max(1, Math.ceil(drawing.width)),
      height: Math.max(1, Math.ceil(drawing.height)),
    }
    // A drawing that declares no size fills its window.
    await page.viewport({
      width: Math.min(size.width, tileRows),
      height: Math.min(size.height, tileRows),
    })
    return size
  }
  const { cssContentSize } = await page.session.send('Page.getLayoutMetrics')
  const content = {
    width: Math.ceil(cssContentSize.width),
    height: Math.max(1, Math.ceil(cssContentSize.height)),
  }
  if (options.PixelWidth === undefined) return content
  return { width: options.PixelWidth, height: options.PixelHeight ?? content.height }
}

/**
 * A page is laid out in a window of the requested width. A drawing is scaled to the requested size, and so is a page of which
 * only the height is given. Otherwise the resolution decides how many pixels a CSS pixel has, which is 1/96 of an inch.
 */
function scaleOf(
  { drawing }: PageFacts,
  size: PixelSize,
  { PixelWidth, PixelHeight, Resolution = pixelsPerInch }: BrowserOptions,
): number {
  if (PixelWidth === undefined && PixelHeight === undefined) return Resolution / pixelsPerInch
  if (drawing === undefined && PixelWidth !== undefined) return 1
  return Math.max((PixelWidth ?? 0) / size.width, (PixelHeight ?? 0) / size.height)
}

function checkSize({ width, height }: PixelSize, to: ScreenshotFormat): void {
  const maxLength = maxSide[to]
  const because =
    width > maxLength || height > maxLength
      ? `its page is ${width} by ${height} pixels, and ${to} holds at most ${maxLength} on a side`
      : width * height > maxPixels
        ? `its page is ${width} by ${height} pixels, more than ${maxPixels} together`
        : undefined
  if (because !== undefined)
    throw new AppError('convert.document', { engine: 'Chromium', from: 'page', because })
}

/** Formats that the browser writes itself. */
function needsNoEncoder(height: number, to: ScreenshotFormat, options: BrowserOptions): boolean {
  if (height > tileRows || options.ColorMode === 1) return false
  return to !== 'png' || (options.Compression === undefined && options.Interlaced !== 1)
}

function directFormat(to: ScreenshotFormat, options: BrowserOptions): Protocol.Page.CaptureScreenshotRequest {
  if (to === 'png') return { format: 'png' }
  return { format: to === 'jpg' ? 'jpeg' : 'webp', quality: options.Quality ?? (to === 'jpg' ? 100 : 90) }
}

async function tilesOf(
  page: BrowserPage,
  { width, height, scale }: PixelSize & { readonly scale: number },
  request: Protocol.Page.CaptureScreenshotRequest,
): Promise<readonly Uint8Array[]> {
  const tiles: Uint8Array[] = []
  const rows = Math.max(1, Math.floor(tileRows / scale))
  for (let y = 0; y < height; y += rows) {
    const clip = { x: 0, y, width, height: Math.min(rows, height - y), scale }
    const { data } = await page.session.send('Page.captureScreenshot', {
      ...request,
      clip,
      captureBeyondViewport: true,
      optimizeForSpeed: request.format === 'png' && height > rows,
    })
    tiles.push(Buffer.from(data, 'base64'))
  }
  return tiles
}
