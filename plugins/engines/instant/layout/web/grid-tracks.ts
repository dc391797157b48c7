/** Parses and sizes the tracks of a grid. Source: CSS Grid Layout 2, 7 and 12. */

import { partsOf } from '../../../../../shared/css/declarations.ts'
import { splitOutside } from '../../../../../shared/css/selector.ts'
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import { minOf } from '../../../../../shared/extremes.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import type { Pt } from '../frame.ts'

/** A length in pt, a flexible length (`fr`), or a keyword for a size that depends on the content. */
type TrackSize = { readonly length: Pt } | { readonly fraction: number } | 'auto' | 'min' | 'max'
export interface Track {
  readonly min: TrackSize
  readonly max: TrackSize
}

/** The limit of tracks in one direction. */
export const maxTracks = 1000
const autoTrack: Track = { min: 'auto', max: 'auto' }

/** The space in which tracks are resolved. */
export interface TrackSpace {
  /** The size that percentages refer to; undefined if it is not definite. */
  readonly available: Pt | undefined
  readonly gap: Pt
  /** The number of tracks that the items fill, for `auto-fit`. */
  readonly filled: number
}

export function tracksOf(style: ComputedStyle, name: string, space: TrackSpace): readonly Track[] {
  const value = style.get(name) ?? 'none'
  return value === 'none' ? [] : readTracks(style, value, space)
}

function readTracks(style: ComputedStyle, value: string, space: TrackSpace): readonly Track[] {
  const tracks: Track[] = []
  for (const part of partsOf(value)) {
    if (tracks.length >= maxTracks) break
    if (part.startsWith('[')) continue
    const repeated = /^repeat\((.*)\)$/is.exec(part)?.[1]
    if (repeated === undefined) tracks.push(readTrack(style, part, space.available))
    else pushAll(tracks, repeatedTracks(style, repeated, space).slice(0, maxTracks - tracks.length))
  }
  return tracks
}

/** Maps the names of lines to their index, counted from 0. Names inside `repeat()` are not supported. */
export function lineNamesOf(
  style: ComputedStyle,
  name: string,
  space: TrackSpace,
): ReadonlyMap<string, number> {
  const names = new Map<string, number>()
  let line = 0
  for (const part of partsOf(style.get(name) ?? '')) {
    if (line >= maxTracks) break
    if (!part.startsWith('[')) line += readTracks(style, part, space).length
    else for (const word of part.slice(1, -1).trim().split(/\s+/)) if (!names.has(word)) names.set(word, line)
  }
  return names
}

function repeatedTracks(style: ComputedStyle, inside: string, space: TrackSpace): readonly Track[] {
  const [count = '', ...rest] = splitOutside(inside, ',')
  const list = readTracks(style, rest.join(','), space)
  if (list.length === 0) return []
  const times = /^\s*auto-fi[lt]{1,2}\s*$/i.test(count) ? repeatCount(list, count, space) : Number(count)
  const bounded = Number.isFinite(times) ? Math.min(Math.max(times, 1), maxTracks / list.length) : 1
  return Array.from({ length: Math.floor(bounded) }, () => list).flat()
}

/** How often the tracks of `repeat(auto-fill, …)` or `repeat(auto-fit, …)` fit into the available space. */
function repeatCount(list: readonly Track[], how: string, { available, gap, filled }: TrackSpace): number {
  if (available === undefined) return 1
  const sizes = list.map(({ min, max }) => lengthOf(min) ?? lengthOf(max) ?? 0)
  const repeatedSize = sizes.reduce((sum, size) => sum + size + gap, 0)
  const times = repeatedSize <= 0 ? 1 : Math.max(1, Math.floor((available + gap + 0.01) / repeatedSize))
  return how.includes('fit') ? Math.min(times, Math.max(1, Math.ceil(filled / list.length))) : times
}

const lengthOf = (size: TrackSize): Pt | undefined =>
  typeof size === 'object' && 'length' in size ? size.length : undefined

function readTrack(style: ComputedStyle, part: string, available: Pt | undefined): Track {
  const between = /^minmax\((.*)\)$/is.exec(part)?.[1]
  if (between !== undefined) {
    const [least = 'auto', most = 'auto'] = splitOutside(between, ',')
    const smallest = sizeOf(style, least, available)
    return {
      min: typeof smallest === 'object' && 'fraction' in smallest ? 'auto' : smallest,
      max: sizeOf(style, most, available),
    }
  }
  const limit = /^fit-content\((.*)\)$/is.exec(part)?.[1]
  if (limit !== undefined) return { min: 'auto', max: sizeOf(style, limit, available) }
  const size = sizeOf(style, part, available)
  if (typeof size === 'object' && 'fraction' in size) return { min: 'auto', max: size }
  return { min: size, max: size }
}

function sizeOf(style: ComputedStyle, text: string, available: Pt | undefined): TrackSize {
  const value = text.trim().toLowerCase()
  const fraction = /^(\d*\.?\d+)fr$/.exec(value)?.[1]
  if (fraction !== undefined) return { fraction: Math.min(Number(fraction), 1e6) }
  if (value === 'min-content') return 'min'
  if (value === 'max-content') return 'max'
  const length = style.measure(value, available)
  return length === undefined ? 'auto' : { length: Math.max(0, length) }
}

/** Appends implicit tracks until there are `count`. */
export function withImplicit(
  style: ComputedStyle,
  tracks: readonly Track[],
  count: number,
  name: string,
): readonly Track[] {
  const first = partsOf(style.get(name) ?? 'auto')[0]
  const implicit = first === undefined ? autoTrack : readTrack(style, first, undefined)
  const missing = Math.max(0, Math.min(count, maxTracks) - tracks.length)
  return [...tracks, ...Array.from({ length: missing }, () => implicit)]
}

/** The contribution of an item to the tracks that it spans, in pt. */
export interface TrackContribution {
  readonly from: number
  readonly count: number
  readonly minContent: Pt
  readonly maxContent: Pt
}

const flexFraction = ({ max }: Track): number =>
  typeof max === 'object' && 'fraction' in max ? max.fraction : 0

/**
 * Resolves the sizes of tracks. With an indefinite available size they get their max-content contributions. Source: 12.3 to
 * 12.8.
 */
export function trackSizes(
  tracks: readonly Track[],
  needs: readonly TrackContribution[],
  {
    available,
    gap,
    fillsSpace,
  }: { readonly available: Pt | undefined; readonly gap: Pt; readonly fillsSpace: boolean },
): Pt[] {
  const sizes = tracks.map(({ min }) => lengthOf(min) ?? 0)
  const limits = tracks.map(
    (track) => lengthOf(track.max) ?? (flexFraction(track) > 0 ? Number.POSITIVE_INFINITY : 0),
  )
  const grow = (target: Pt[], members: readonly number[], need: Pt): void => {
    const more = need - members.reduce((sum, at) => sum + (target[at] ?? 0), 0)
    if (more > 0) for (const at of members) target[at] = (target[at] ?? 0) + more / members.length
  }
  const isIntrinsic = (size: TrackSize): boolean => typeof size === 'string'
  for (const { from, count, minContent, maxContent } of needs.toSorted((a, b) => a.count - b.count)) {
    const covered = tracks.slice(from, from + count).map((track, index) => ({ track, at: from + index }))
    if (count > 1 && covered.some(({ track }) => flexFraction(track) > 0)) continue
    const fixed = covered.reduce(
      (sum, { track, at }) => sum + (isIntrinsic(track.min) ? 0 : (sizes[at] ?? 0)),
      gap * (count - 1),
    )
    const members = covered.filter(({ track }) => isIntrinsic(track.min)).map(({ at }) => at)
    const takesMaxContent = covered.every(({ track }) => track.min === 'max')
    if (members.length > 0) grow(sizes, members, (takesMaxContent ? maxContent : minContent) - fixed)
    const open = covered
      .filter(({ track }) => track.max === 'auto' || track.max === 'max')
      .map(({ at }) => at)
    if (open.length > 0) grow(limits, open, maxContent - fixed)
  }
  for (const [at, size] of sizes.entries()) limits[at] = Math.max(limits[at] ?? 0, size)
  if (available === undefined)
    return sizes.map((size, at) => (Number.isFinite(limits[at]) ? (limits[at] ?? size) : size))
  const free = (): Pt =>
    available - gap * Math.max(0, tracks.length - 1) - sizes.reduce((sum, size) => sum + size, 0)
  maximizeTracks(sizes, limits, tracks, free)
  expandFlexibleTracks(sizes, tracks, available - gap * Math.max(0, tracks.length - 1))
  const autos = tracks.flatMap(({ max }, at) => (max === 'auto' ? [at] : []))
  const rest = free()
  if (fillsSpace && rest > 0 && tracks.every((track) => flexFraction(track) === 0))
    for (const at of autos) sizes[at] = (sizes[at] ?? 0) + rest / autos.length
  return sizes
}

/**
 * Grows the inflexible tracks equally up to their growth limits (12.6). Each pass brings at least one track to its limit, so
 * the loop ends.
 */
function maximizeTracks(sizes: Pt[], limits: readonly Pt[], tracks: readonly Track[], free: () => Pt): void {
  let growing = tracks.flatMap((track, at) =>
    flexFraction(track) === 0 && (limits[at] ?? 0) > (sizes[at] ?? 0) ? [at] : [],
  )
  for (let remaining = free(); remaining > 0.001 && growing.length > 0; remaining = free()) {
    const smallestGap = minOf(growing.map((at) => (limits[at] ?? 0) - (sizes[at] ?? 0)))
    const step = Math.min(smallestGap, remaining / growing.length)
    for (const at of growing) sizes[at] = (sizes[at] ?? 0) + step
    growing = growing.filter((at) => (limits[at] ?? 0) - (sizes[at] ?? 0) > 0.001)
  }
}

/** Sizes the flexible tracks from the remaining space; a track keeps at least its base size. Source: 12.7. */
function expandFlexibleTracks(sizes: Pt[], tracks: readonly Track[], space: Pt): void {
  let flexible = tracks.flatMap((track, at) => (flexFraction(track) > 0 ? [at] : []))
  while (flexible.length > 0) {
    const remaining = sizes.reduce((sum, size, at) => (flexible.includes(at) ? sum : sum - size), space)
    const total = flexible.reduce((sum, at) => sum + flexFraction(tracks[at] ?? autoTrack), 0)
    const unit = Math.max(0, remaining) / Math.max(1, total)
    const fitting = flexible.filter(
      (at) => (sizes[at] ?? 0) <= unit * flexFraction(tracks[at] ?? autoTrack) + 0.001,
    )
    if (fitting.length === flexible.length) {
      for (const at of flexible)
        sizes[at] = Math.max(sizes[at] ?? 0, unit * flexFraction(tracks[at] ?? autoTrack))
      return
    }
    flexible = fitting
  }
}
