import type { Outcome, Warning } from '../../plugin/contract.ts'
import type { Merged, MergeJob, MergeOptions, Merger } from '../../ports/index.ts'
import { drawFallbackImages, type FallbackAccess } from './fallback-images.ts'
import { type FetchAccess, fetchFiles } from './fetch-files.ts'

export interface MergeAccess extends FetchAccess {
  readonly merger: Merger
  /** Set where the document itself is what the caller gets: pictures that not every program shows then get a PNG. */
  readonly fallbackImages?: FallbackAccess | undefined
}

/**
 * Merges until nothing is missing. Merging is pure and reaches no network, so a merge reports what it could not show:
 * files named by the data, and pictures without a fallback image. Both are obtained once, and the merge runs again with
 * them. Most documents need nothing and are merged once; none is merged more than three times.
 *
 * Throws what the merger throws, and the signal's reason. Source: template language 22.1, 22.11 and 27.
 */
export async function mergeWithFiles(
  access: MergeAccess,
  job: MergeJob,
  signal: AbortSignal,
): Promise<Outcome<Merged>> {
  let options: MergeOptions =
    access.fallbackImages === undefined ? job.options : { ...job.options, fallbackImages: new Map() }
  let outcome = await access.merger.merge({ ...job, options }, signal)
  const warnings: Warning[] = []
  // Files first, because they decide which pictures there are.
  for (const obtain of [obtainFiles, obtainFallbackImages]) {
    const obtained = await obtain(access, outcome.value, signal)
    if (obtained?.options !== undefined) {
      options = { ...options, ...obtained.options }
      outcome = await access.merger.merge({ ...job, options }, signal)
    }
    warnings.push(...(obtained?.warnings ?? []))
  }
  return warnings.length === 0 ? outcome : { ...outcome, warnings: [...outcome.warnings, ...warnings] }
}

/** Without `options` there is nothing to merge again for. */
interface Obtained {
  readonly options?: Pick<MergeOptions, 'files' | 'fallbackImages'>
  readonly warnings: readonly Warning[]
}

async function obtainFiles(
  access: MergeAccess,
  { needs = [] }: Merged,
  signal: AbortSignal,
): Promise<Obtained | undefined> {
  if (needs.length === 0) return undefined
  return { options: { files: await fetchFiles(access, needs, signal) }, warnings: [] }
}

async function obtainFallbackImages(
  { fallbackImages: access }: MergeAccess,
  { fallbackImages: wanted = [] }: Merged,
  signal: AbortSignal,
): Promise<Obtained | undefined> {
  if (access === undefined || wanted.length === 0) return undefined
  const { images, warnings } = await drawFallbackImages(access, wanted, signal)
  const isAnyDrawn = [...images.values()].some((png) => png !== undefined)
  return { ...(isAnyDrawn && { options: { fallbackImages: images } }), warnings }
}
