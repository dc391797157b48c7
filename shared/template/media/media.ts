/**
 * The pictures of one render: from the value of a tag to a file of the package. Equal sources are stored once. A merge has no
 * network access, so it only collects addresses: `needs` is returned to the caller, and the files are passed to the next run.
 * Source: template language 22.1.
 */

import { decodeBase64 } from '../../base64.ts'
import { crc32 } from '../../crc32.ts'
import { AppError } from '../../errors/app-error.ts'
import { orientJpeg } from '../../images/exif-orientation.ts'
import { type ImageKind, measureImage } from '../../images/measure.ts'
import { missingImagePng } from '../../images/missing-image.ts'
import { isSoundSvg } from '../../images/sound-svg.ts'
import type { FallbackImageRequest, FetchedFile } from '../../ports/merger.ts'
import { DrawnPicture, type ImageFit, PictureValue } from '../formatters/formatter.ts'
import { scopeKey } from '../scope.ts'

/** A picture file of the output. Its size in pixels (of an SVG: in units) gives its ratio. */
export interface MediaFile {
  readonly number: number // from 1, in the order of first use
  readonly kind: ImageKind
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
  /** The same picture as a PNG, for vector pictures that can be rasterised here and formats that require both. */
  readonly raster?: () => MediaFile | undefined
}
/** The size of a placeholder, in the unit of its format. */
export interface ImageBox {
  readonly width: number
  readonly height: number
}
/** A picture and its size, in the unit of its placeholder's box. */
export interface SizedImage extends ImageBox {
  readonly file: MediaFile
}

/**
 * The maximum number of files that one render may fetch, unless the options set another. Source: template language
 * 22.11, 27.
 */
const defaultMaxFiles = 20
const maxUrl = 8_192
/** The maximum size of one picture. A few bytes may declare a size that no program could decode. */
const maxPixels = 250_000_000

/** The pictures of one render: fetched, drawn or given as data URLs. The same bytes are stored once. */
export class Media {
  /** Addresses of files that this run lacked. */
  readonly needs = new Set<string>()
  /** Pictures whose fallback image this run lacked, by key. */
  readonly fallbackRequests = new Map<string, FallbackImageRequest>()
  /** All pictures of the output, in the order of their numbers. */
  readonly #files: MediaFile[] = []
  readonly #bySource = new Map<string, MediaFile | undefined>()
  /** Checksum -> the files that have it. */
  readonly #byContent = new Map<string, MediaFile[]>()
  readonly #downloads: ReadonlyMap<string, FetchedFile> | undefined
  /** Whether a failed download is an error. */
  readonly #strict: boolean
  readonly #maxFiles: number
  readonly #draws: (value: unknown) => DrawnPicture | undefined
  readonly #memory: number
  /** Photos with their EXIF orientation applied, by the original. */
  readonly #oriented = new Map<MediaFile, MediaFile>()
  readonly #fallbackImages: ReadonlyMap<string, Uint8Array | undefined> | undefined
  readonly #fallbackOf = new Map<MediaFile, MediaFile | undefined>()

  /**
   * draws: recognises values that are drawn as pictures without a formatter, such as chart options.
   * memory: the number of bytes that rotating one photo may use.
   * fallbackImages: PNG files of vector pictures by their key, see MergeOptions.
   */
  constructor(
    files: ReadonlyMap<string, FetchedFile> | undefined,
    failOn: readonly string[] | undefined,
    draws: (value: unknown) => DrawnPicture | undefined = () => undefined,
    memory = 200_000_000,
    fallbackImages?: ReadonlyMap<string, Uint8Array | undefined>,
    maxFiles = defaultMaxFiles,
  ) {
    this.#maxFiles = maxFiles
    this.#fallbackImages = fallbackImages
    this.#memory = memory
    this.#downloads = files
    this.#draws = draws
    this.#strict = failOn?.includes('IMAGE_URL_ERROR') === true
  }

  /**
   * The file and the size of a picture in a placeholder. A missing picture is replaced by a neutral one. Throws AppError
   * 'template.image' for a failed download when `failOn` contains IMAGE_URL_ERROR.
   */
  place(value: unknown, box: ImageBox): SizedImage {
    const picture = value instanceof PictureValue ? value : new PictureValue(value)
    const original = this.find(picture.source)
    const file =
      original !== undefined && picture.appliesOrientation ? this.#withOrientation(original) : original
    if (file === undefined) return { ...box, file: this.neutral(box.width / box.height) }
    return { file, ...fitted(file, box, picture.fit) }
  }

  /** The file of a picture source; undefined if there is none. */
  find(source: unknown): MediaFile | undefined {
    const drawing = this.drawing(source)
    if (drawing !== undefined) return this.#drawn(drawing)
    return typeof source === 'string' ? this.#file(source.trim()) : undefined
  }

  /**
   * Checks a picture that remains an address in the output, where the reader of the document loads it. It is fetched only if
   * a failed download is an error. Throws AppError 'template.image' then.
   */
  check(source: unknown): void {
    if (this.#strict && typeof source === 'string') this.find(source)
  }

  /** Interprets the source as a picture that is drawn here; undefined for other sources. */
  drawing(source: unknown): DrawnPicture | undefined {
    return source instanceof DrawnPicture ? source : this.#draws(source)
  }

  /**
   * The fallback image of a picture: a PNG for programs that do not support its type. Undefined if there is none or none is
   * needed: in a document that an engine will convert, vector pictures stay unchanged.
   */
  fallbackImage(file: MediaFile): MediaFile | undefined {
    if (file.raster !== undefined) return file.raster()
    const { kind, bytes, width, height } = file
    if (this.#fallbackImages === undefined || (kind !== 'svg' && kind !== 'webp')) return undefined
    if (this.#fallbackOf.has(file)) return this.#fallbackOf.get(file)
    const key = `${kind} ${contentKey(bytes)}`
    const png = this.#fallbackImages.get(key)
    if (!this.#fallbackImages.has(key)) this.fallbackRequests.set(key, { key, kind, bytes, width, height })
    const fallback = png === undefined ? undefined : this.#store(png)
    this.#fallbackOf.set(file, fallback)
    return fallback
  }

  /** The placeholder that replaces a missing picture. */
  neutral(ratio: number): MediaFile {
    const key = `missing:${ratio.toFixed(2)}`
    const existing = this.#bySource.get(key)
    if (existing !== undefined) return existing
    const file = this.#store(missingImagePng(ratio))!
    this.#bySource.set(key, file)
    return file
  }

  #withOrientation(file: MediaFile): MediaFile {
    if (file.kind !== 'jpeg') return file
    const existing = this.#oriented.get(file)
    if (existing !== undefined) return existing
    const bytes = orientJpeg(file.bytes, this.#memory)
    const oriented = (bytes === undefined ? undefined : this.#store(bytes)) ?? file
    this.#oriented.set(file, oriented)
    return oriented
  }

  #file(source: string): MediaFile | undefined {
    if (this.#bySource.has(source)) return this.#bySource.get(source)
    let file: MediaFile | undefined
    if (/^data:/i.test(source)) {
      const bytes = decodeBase64(new TextEncoder().encode(source)) ?? svgFromTextUri(source)
      file = bytes === undefined ? undefined : this.#store(bytes)
    } else if (/^https?:\/\//i.test(source)) file = this.#fetched(source)
    this.#bySource.set(source, file)
    return file
  }

  #drawn(picture: DrawnPicture): MediaFile | undefined {
    const key = `drawn:${picture.key}`
    if (this.#bySource.has(key)) return this.#bySource.get(key)
    const bytes = picture.draw()
    let file = bytes === undefined ? undefined : this.#store(bytes)
    const { raster } = picture
    if (file?.kind === 'svg' && raster !== undefined) {
      let fallback: { readonly file: MediaFile | undefined } | undefined
      const cachedRaster = () => {
        const png = fallback === undefined ? raster() : undefined
        fallback ??= { file: png === undefined ? undefined : this.#store(png) }
        return fallback.file
      }
      file = { ...file, raster: cachedRaster }
    }
    this.#bySource.set(key, file)
    return file
  }

  #fetched(url: string): MediaFile | undefined {
    const download = url.length > maxUrl ? undefined : this.#downloads?.get(url)
    if (this.#downloads === undefined) {
      if (this.needs.size < this.#maxFiles && url.length <= maxUrl) this.needs.add(url)
      return undefined
    }
    const file = download !== undefined && 'bytes' in download ? this.#store(download.bytes) : undefined
    if (file === undefined && this.#strict)
      throw new AppError('template.image', { because: this.#reasonOf(download) })
    return file
  }

  #reasonOf(download: FetchedFile | undefined): string {
    if (download === undefined) return `a render may fetch at most ${this.#maxFiles} files`
    return 'failed' in download ? download.failed : 'the server sent no picture of a known type'
  }

  #store(bytes: Uint8Array): MediaFile | undefined {
    const measured = measureImage(bytes)
    if (measured === undefined) return undefined
    const isSvg = measured.kind === 'svg'
    if (isSvg ? !isSoundSvg(bytes) : measured.width * measured.height > maxPixels) return undefined
    const key = contentKey(bytes)
    const sameChecksum = this.#byContent.get(key) ?? []
    const existing = sameChecksum.find((file) => isSame(file.bytes, bytes))
    if (existing !== undefined) return existing
    const file: MediaFile = { ...measured, bytes, number: this.#files.length + 1 }
    this.#files.push(file)
    this.#byContent.set(key, [...sameChecksum, file])
    return file
  }
}

const contentKey = (bytes: Uint8Array): string => `${bytes.length} ${crc32(bytes)}`

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

/** An SVG in a data URI may be text, percent-encoded or not. RFC 2397. */
function svgFromTextUri(source: string): Uint8Array | undefined {
  const head = /^data:image\/svg\+xml[^,]{0,100},/i.exec(source)?.[0]
  if (head === undefined || /;base64,$/i.test(head)) return undefined
  const text = source.slice(head.length)
  try {
    return new TextEncoder().encode(text.trimStart().startsWith('<') ? text : decodeURIComponent(text))
  } catch {
    return undefined
  }
}

function fitted(file: MediaFile, box: ImageBox, fit: ImageFit): ImageBox {
  if (fit === 'fill') return box
  const fullHeight = (box.width * file.height) / file.width
  if (fit === 'fillWidth' || fullHeight <= box.height) return { width: box.width, height: fullHeight }
  return { width: (box.height * file.width) / file.height, height: box.height }
}

/** The pictures of a render. */
export const renderMedia = scopeKey<Media>('pictures')
