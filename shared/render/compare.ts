/** Compares two templates: their tags, their text and their pages. Neither is merged with data. */

import { AppError } from '../errors/app-error.ts'
import { type Area, changedAreas } from '../images/changed-areas.ts'
import { readPng } from '../images/read-png.ts'
import { createPace } from '../pace.ts'
import { bytesOf } from '../plugin/byte-source.ts'
import type { ByteSource } from '../plugin/values.ts'
import type { Services } from '../services/services.ts'
import type { RenderTemplate } from '../services/templates.ts'
import { diffText, type TextChange } from '../text-diff.ts'
import { type RenderBudget, withinDeadline } from './pipeline.ts'
import { unfilled } from './sample-request.ts'

export interface Comparison {
  /** Whether the files are identical. */
  readonly same: boolean
  readonly tags: TagChanges
  /** Absent if no engine of this host can convert both of them to text. */
  readonly text?: readonly TextChange[]
  /** Whether the text is longer than the part that was compared. */
  readonly textCut: boolean
  /** Absent if the engine that both hosts have cannot read one of them, and where the text was cut. */
  readonly pages?: PageChanges
}

export interface TagChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Tags of the same field whose formatters differ. */
  readonly changed: readonly { readonly from: string; readonly to: string }[]
}

export interface PageChanges {
  /** The number of pages. */
  readonly from: number
  readonly to: number
  /** The pages that differ. A page without areas differs entirely, or is missing on one side. */
  readonly changed: readonly { readonly page: number; readonly areas: readonly Area[] }[]
  /** The maximum number of pages that were compared. */
  readonly compared: number
}

type Compared = readonly [from: RenderTemplate, to: RenderTemplate]

const pageEngine = 'I'
const maxPages = 50
/**
 * The width in pixels at which pages are compared. At this width a changed letter is visible, and a page takes 1 MB of
 * memory.
 */
const width = 420
/** The maximum number of pixels of a page at that width. Longer pages count as entirely changed. */
const maxPixels = 2_000_000
/** The maximum number of characters of each text. */
const maxText = 300_000
/** The text formats to convert to, best first: Markdown keeps headings and lists. */
const textFormats = ['md', 'txt', 'csv'] as const

/**
 * Compares two templates. Throws what the conversions of a render throw, and 'api.template.format' for a file without tags.
 */
export async function compareTemplates(
  services: Services,
  templates: Compared,
  caller: AbortSignal,
): Promise<Comparison> {
  const [from, to] = templates
  return withinDeadline(services, caller, services.settings.renderTimeoutMs, async (budget) => {
    const tags = tagChanges(
      ...(await onBoth(templates, (template) => tagsOf(services, template, budget.signal))),
    )
    const texts = await onBoth(templates, (template) => textOf(services, template, budget))
    const textCut = texts.some((whole) => (whole?.length ?? 0) > maxText)
    // Texts of this length have more pages than are compared, and to lay them out takes far longer than all the rest.
    const pages = textCut ? undefined : await pageChanges(services, templates, budget)
    const [textFrom, textTo] = texts.map((text) => text?.slice(0, maxText))
    const text = textFrom === undefined || textTo === undefined ? undefined : await diffText(textFrom, textTo)
    return {
      same: from.hash === to.hash && from.format.id === to.format.id,
      tags,
      ...(text !== undefined && { text }),
      textCut,
      ...(pages !== undefined && { pages }),
    }
  })
}

/** Runs `work` for one file after the other, so that a comparison occupies no more engine slots than a render. */
async function onBoth<T>(
  [from, to]: Compared,
  work: (template: RenderTemplate) => Promise<T>,
): Promise<readonly [T, T]> {
  const first = await work(from)
  return [first, await work(to)]
}

async function tagsOf(
  { merger, settings }: Services,
  { format, hash, bytes }: RenderTemplate,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (format.template === undefined) throw new AppError('api.template.format')
  const template = { hash, bytes: await bytes(), format: format.id }
  const { languageLevel } = unfilled
  return (await merger.inspect({ template, languageLevel, lang: settings.lang }, signal)).tags
}

/** Compares tags by their number of occurrences. A removed and an added tag of the same field are one changed tag. */
export function tagChanges(from: readonly string[], to: readonly string[]): TagChanges {
  const removed = new Set(surplus(from, to))
  const removedByField = Map.groupBy(removed, fieldOf)
  const added: string[] = []
  const changed: { from: string; to: string }[] = []
  for (const tag of surplus(to, from)) {
    const other = removedByField.get(fieldOf(tag))?.shift()
    if (other === undefined) {
      added.push(tag)
      continue
    }
    removed.delete(other)
    changed.push({ from: other, to: tag })
  }
  return { added, removed: [...removed], changed }
}

/** The tags that occur less often in the other list, in order, each once. */
function surplus(tags: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const tag of others) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const names = new Set<string>()
  for (const tag of tags) {
    const left = (counts.get(tag) ?? 0) - 1
    counts.set(tag, left)
    if (left < 0) names.add(tag)
  }
  return [...names]
}

/** The field that a tag prints, without formatters. */
const fieldOf = (tag: string): string => tag.replace(/[:}][\s\S]*$/, '').trim()

/** The text of a template with its tags. Undefined if no engine of this host can convert it to text. */
async function textOf(
  services: Services,
  template: RenderTemplate,
  budget: RenderBudget,
): Promise<string | undefined> {
  const { id, family } = template.format
  const to = textFormats.find((format) => format === id || services.converter.can(id, format))
  if (family !== 'text' && to === undefined) return undefined
  const isText = family === 'text' || to === id
  const source = isText
    ? await template.source()
    : (await convert(services, template, budget, to ?? 'txt')).value
  return new TextDecoder().decode(await bytesOf(source))
}

async function pageChanges(
  services: Services,
  templates: Compared,
  budget: RenderBudget,
): Promise<PageChanges | undefined> {
  if (!templates.every(({ format }) => services.converter.can(format.id, 'png', pageEngine))) return undefined
  const [from, to] = await onBoth(templates, (template) => pagesOf(services, template, budget))
  const changed: PageChanges['changed'][number][] = []
  const pace = createPace()
  for (let at = 0; at < Math.min(maxPages, Math.max(from.count, to.count)); at++) {
    const difference = await pageDifference(services, from.files[at], to.files[at])
    if (difference !== undefined) changed.push({ page: at + 1, areas: difference })
    await pace.rest()
    budget.signal.throwIfAborted()
  }
  return { from: from.count, to: to.count, changed, compared: maxPages }
}

async function pagesOf(services: Services, template: RenderTemplate, budget: RenderBudget) {
  const options = { PageRange: `1-${maxPages}`, PixelWidth: width }
  const { value, pages, pageCount } = await convert(services, template, budget, 'png', {
    letter: pageEngine,
    options,
  })
  const files = pages ?? [value]
  return { files, count: pageCount ?? files.length }
}

/** Compares two pages; undefined if they are equal. */
async function pageDifference(
  { codec }: Services,
  from: ByteSource | undefined,
  to: ByteSource | undefined,
): Promise<readonly Area[] | undefined> {
  if (from === undefined || to === undefined) return []
  const [before, after] = [await bytesOf(from), await bytesOf(to)]
  if (before.length === after.length && before.every((byte, at) => byte === after[at])) return undefined
  const [old, now] = [readPng(before, codec, maxPixels), readPng(after, codec, maxPixels)]
  return old === undefined || now === undefined ? [] : changedAreas(old, now)
}

async function convert(
  { converter }: Services,
  template: RenderTemplate,
  { signal, deadline }: RenderBudget,
  to: string,
  more: { readonly letter?: string; readonly options?: Readonly<Record<string, unknown>> } = {},
) {
  return converter.convert({
    source: await template.source(),
    from: template.format.id,
    to,
    signal,
    deadline,
    ...more,
  })
}
