/** Runs one case of a template: renders it and compares the document with the expectations. */

import { decodeBase64 } from '../../base64.ts'
import { AppError } from '../../errors/app-error.ts'
import { type Area, changedAreas, changedShare } from '../../images/changed-areas.ts'
import { readPng } from '../../images/read-png.ts'
import { toBase64 } from '../../plugin/base64.ts'
import { bytesOf } from '../../plugin/byte-source.ts'
import { pushAll } from '../../push-all.ts'
import { checkedWidth, defaultMaxChanged } from '../../schemas/checks.ts'
import type { Services } from '../../services/services.ts'
import type { RenderTemplate } from '../../services/templates.ts'
import { render, withinDeadline } from '../pipeline.ts'
import type { Rendered, RenderRequest } from '../request.ts'
import { SearchedText } from './find-text.ts'
import type { CheckCase, Expectation, ExpectedPicture, ExpectedText } from './read-checks.ts'

export interface Failure {
  readonly kind: 'contains' | 'excludes' | 'pages' | 'picture' | 'error'
  readonly message: string
  readonly expected?: string
  readonly actual?: string
  readonly page?: number
}

export interface CaseReport {
  readonly name: string
  readonly passed: boolean
  readonly failures: readonly Failure[]
  /** Whether the render produced a document. */
  readonly rendered: boolean
  /** The number of pages, if an expectation required it. */
  readonly pages?: number
  readonly pictures?: readonly CheckedPicture[]
}

export interface CheckedPicture {
  readonly page: number
  /** The fraction of pixels that differ. Absent if there is no picture to compare with. */
  readonly changed?: number
  readonly areas: readonly Area[]
  /** The page as it is rendered now, as a base64 PNG. */
  readonly png?: string
}

export interface CaseBounds {
  readonly account: string | undefined
  readonly signal: AbortSignal
  /** Whether the report includes pictures of the pages as they are rendered now. */
  readonly withPictures: boolean
}

/** The engine that exists on both hosts, so that pictures are the same on both. */
const pageEngine = 'I'
/** The maximum number of pixels of a compared picture. An A4 page has 250,000. */
const maxPixels = 2_000_000

/** Runs the case. Throws 'api.aborted' if the caller disconnects. Any other error of the render is part of the report. */
export async function runCase(
  services: Services,
  template: RenderTemplate,
  { name, request, expect }: CheckCase,
  bounds: CaseBounds,
): Promise<CaseReport> {
  const { account, signal } = bounds
  let rendered: Rendered
  try {
    rendered = await render(services, template, request, signal, { account })
  } catch (error) {
    if (signal.aborted) throw error
    return { ...reportOf(name, errorFailures(expect, error)), rendered: false }
  }
  if (expect.error !== undefined) {
    const message = 'The render should have failed, but it produced a document.'
    return reportOf(name, [{ kind: 'error', message, expected: expect.error }])
  }
  const failures: Failure[] = []
  const pages = await readDocument(services, rendered, expect, signal)
  pushAll(failures, [...(await textFailures(expect, pages, signal)), ...pageFailures(expect, pages)])
  const pictures: CheckedPicture[] = []
  for (const expected of expect.pictures ?? []) {
    const { picture, failure } = await comparePage(services, { template, request, expected }, bounds)
    if (picture !== undefined) pictures.push(picture)
    if (failure !== undefined) failures.push(failure)
  }
  return {
    ...reportOf(name, failures),
    ...(pages.pages !== undefined && { pages: pages.pages.length }),
    ...(expect.pictures !== undefined && { pictures }),
  }
}

function reportOf(name: string, failures: readonly Failure[]): CaseReport {
  return { name, passed: failures.length === 0, failures, rendered: true }
}

function errorFailures({ error: expected }: Expectation, thrown: unknown): readonly Failure[] {
  const codes = codesOf(thrown)
  if (expected !== undefined && codes.includes(expected)) return []
  const reason = thrown instanceof AppError ? thrown.message : 'An unexpected failure.'
  return [
    {
      kind: 'error',
      message: `The render failed. ${reason}`,
      ...(expected !== undefined && { expected }),
      actual: codes.at(-1) ?? 'api.internal',
    },
  ]
}

/** The codes of an error, of its causes, and of its problems, the most specific one last. */
function codesOf(thrown: unknown): readonly string[] {
  const codes: string[] = []
  for (let error = thrown; error instanceof AppError; error = error.cause) {
    codes.push(error.code)
    if (error.wire !== undefined) codes.push(error.wire)
    pushAll(
      codes,
      error.problems.map(({ code }) => code),
    )
  }
  return [...new Set(codes)]
}

/** The text of a document, in total and for each page if it has pages. */
interface ReadDocument {
  readonly text?: string
  readonly pages?: readonly string[]
  /** The reason why there are no pages. */
  readonly reason?: string
}

const textFamilies = ['text', 'web', 'data']

/**
 * Reads as much of a document as its expectations need. A text file is its own text; for any other file it is the text of its
 * pages.
 */
async function readDocument(
  services: Services,
  { source, format }: Rendered,
  { contains = [], excludes = [], pages }: Expectation,
  signal: AbortSignal,
): Promise<ReadDocument> {
  const texts = [...contains, ...excludes]
  const isText = textFamilies.includes(format.family)
  const text = isText ? new TextDecoder().decode(await bytesOf(source)) : undefined
  const needsPages = pages !== undefined || texts.some((text) => pageOf(text) !== undefined)
  if (!needsPages && (isText || texts.length === 0)) return { ...(text !== undefined && { text }) }
  try {
    const read = await readPages(services, { source, format }, signal)
    return { text: text ?? read.join('\n'), pages: read }
  } catch (error) {
    if (signal.aborted) throw error
    const reason = error instanceof AppError ? error.message : 'An unexpected failure.'
    return { ...(text !== undefined && { text }), reason }
  }
}

/** Reads the text of the pages of a document, which is first converted to PDF if necessary. */
async function readPages(
  services: Services,
  { source, format }: Pick<Rendered, 'source' | 'format'>,
  caller: AbortSignal,
): Promise<readonly string[]> {
  const { converter, settings } = services
  return withinDeadline(services, caller, settings.renderTimeoutMs, async ({ signal, deadline }) => {
    const letter = converter.can(format.id, 'pdf', pageEngine) ? pageEngine : undefined
    const pdf =
      format.id === 'pdf'
        ? source
        : (await converter.convert({ source, from: format.id, to: 'pdf', signal, deadline, letter })).value
    if (converter.readText === undefined) throw new AppError('convert.pair', noReader)
    return converter.readText(await bytesOf(pdf), { signal })
  })
}

const noReader = { engine: 'This service', from: 'pdf', to: 'txt' } as const

const pageOf = (expected: ExpectedText): number | undefined =>
  typeof expected === 'string' ? undefined : expected.page
const textOf = (expected: ExpectedText): string => (typeof expected === 'string' ? expected : expected.text)

async function textFailures(
  { contains: required = [], excludes = [] }: Expectation,
  read: ReadDocument,
  signal: AbortSignal,
): Promise<Failure[]> {
  const failures: Failure[] = []
  const searched = new Map<number | undefined, SearchedText>()
  for (const [kind, list] of [
    ['contains', required],
    ['excludes', excludes],
  ] as const)
    for (const expectation of list) {
      const [expected, page] = [textOf(expectation), pageOf(expectation)]
      const where = { kind, expected, ...(page !== undefined && { page }) }
      const subject = page === undefined ? 'The document' : `Page ${page}`
      const text = page === undefined ? read.text : read.pages?.[page - 1]
      if (text === undefined) {
        const reason = read.reason ?? `The document has no page ${page}.`
        if (kind === 'contains' || read.reason !== undefined) failures.push({ ...where, message: reason })
        continue
      }
      signal.throwIfAborted()
      const search = searched.get(page) ?? new SearchedText(text)
      searched.set(page, search)
      if ((await search.contains(expected)) === (kind === 'contains')) continue
      const message = `${subject} ${kind === 'contains' ? 'lacks' : 'has'} "${expected}".`
      failures.push({ ...where, message, actual: await search.excerptAt(expected) })
    }
  return failures
}

function pageFailures({ pages }: Expectation, read: ReadDocument): Failure[] {
  if (pages === undefined) return []
  const { min = 1, max } = typeof pages === 'number' ? { min: pages, max: pages } : pages
  const expected = max === min ? String(min) : max === undefined ? `${min} or more` : `${min} to ${max}`
  const count = read.pages?.length
  if (count === undefined)
    return [{ kind: 'pages', message: read.reason ?? 'The document has no pages.', expected }]
  if (count >= min && (max === undefined || count <= max)) return []
  const message = `The document has ${count} ${count === 1 ? 'page' : 'pages'} instead of ${expected}.`
  return [{ kind: 'pages', message, expected, actual: String(count) }]
}

interface PageJob {
  readonly template: RenderTemplate
  readonly request: RenderRequest
  readonly expected: ExpectedPicture
}

async function comparePage(
  services: Services,
  { template, request, expected }: PageJob,
  { account, signal, withPictures }: CaseBounds,
): Promise<{ readonly picture?: CheckedPicture; readonly failure?: Failure }> {
  const { page, png, maxChanged = defaultMaxChanged } = expected
  const failed = (message: string, actual?: string): { readonly failure: Failure } => ({
    failure: { kind: 'picture', message, page, ...(actual !== undefined && { actual }) },
  })
  let drawn: Uint8Array
  try {
    drawn = await drawPage(services, { template, request }, page, { account, signal })
  } catch (error) {
    if (signal.aborted) throw error
    const reason = error instanceof AppError ? error.message : 'An unexpected failure.'
    return failed(`Page ${page} could not be drawn. ${reason}`)
  }
  const now = { page, ...(withPictures && { png: toBase64(drawn) }) }
  if (png === undefined)
    return { picture: { ...now, areas: [] }, ...failed(`No picture of page ${page} is recorded.`) }
  const recorded = decodeBase64(new TextEncoder().encode(png))
  const before = recorded && readPng(recorded, services.codec, maxPixels)
  const after = readPng(drawn, services.codec, maxPixels)
  if (before === undefined || after === undefined)
    return {
      picture: { ...now, areas: [] },
      ...failed(`The picture of page ${page} is not a PNG of the kind that checks produce.`),
    }
  const changed = changedShare(before, after)
  const picture = { ...now, changed, areas: changedAreas(before, after) }
  if (changed <= maxChanged) return { picture }
  const percent = (share: number) => `${Math.round(share * 10_000) / 100} %`
  const message = `Page ${page} looks different: ${percent(changed)} of it changed, ${percent(maxChanged)} may.`
  return { picture, ...failed(message, percent(changed)) }
}

/** Draws a page of the render as a PNG, with the engine of the request or `pageEngine`. */
async function drawPage(
  services: Services,
  { template, request }: Pick<PageJob, 'template' | 'request'>,
  page: number,
  { account, signal }: Pick<CaseBounds, 'account' | 'signal'>,
): Promise<Uint8Array> {
  const { converter } = services
  // Options that apply only to PDF would be refused for a picture.
  const { convertTo: _convertTo, sign: _sign, invoice: _invoice, provenance: _provenance, ...rest } = request
  const letter = [request.converter, pageEngine].find(
    (engine) => engine !== undefined && engine !== 'auto' && converter.can(template.format.id, 'png', engine),
  )
  const convertTo = { name: 'png', options: { PageRange: String(page), PixelWidth: checkedWidth } }
  const rendered = await render(services, template, { ...rest, convertTo, converter: letter }, signal, {
    account,
  })
  if (rendered.format.id !== 'png')
    throw new AppError('api.preview.format', { from: template.format.id, to: 'png' })
  return bytesOf(rendered.source)
}
