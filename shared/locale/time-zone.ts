import { AppError } from '../errors/app-error.ts'

/**
 * Offsets of time zones, from `Intl`. A call of `Intl` costs microseconds, so each zone caches what it has
 * found out: time is divided into spans of eight days, and a span has one offset, or the one change of offset
 * inside it.
 */
export interface TimeZone {
  readonly name: string
  /** Returns how far local time is ahead of UTC at an instant, ms. */
  offsetAt(epochMs: number): number
  /**
   * Returns the instant of a local time, which is passed as if it were UTC. A time that clocks skip is moved
   * forward by the gap; of a time that occurs twice the first is meant.
   */
  toInstant(localMs: number): number
  /** Returns 'CET', or 'GMT+5:30' when the zone has no abbreviation. */
  abbreviationAt(epochMs: number): string
}

interface OffsetPeriod {
  readonly before: number
  readonly change: number // the instant from which `after` holds
  readonly after: number
}

const spanMs = 8 * 86_400_000
const maxSpans = 4_096
const maxZones = 64
const zones = new Map<string, TimeZone>()

/** Returns the canonical spelling of a time zone name. Throws a typed error for an unknown one. */
export const checkTimeZone = (name: string): string => timeZone(name).name

/** Returns a time zone by its IANA name, in any case. */
export function timeZone(name: string): TimeZone {
  const cached = zones.get(name)
  if (cached !== undefined) return cached
  const zone = open(name)
  if (zones.size >= maxZones) zones.clear()
  zones.set(name, zone)
  return zone
}

function open(name: string): TimeZone {
  const canonical = canonicalName(name)
  return canonical === 'UTC' ? utc : new NamedZone(canonical)
}

function canonicalName(name: string): string {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions()
    return /^(etc\/)?(utc|gmt|uct|universal|zulu|greenwich)$/i.test(timeZone) ? 'UTC' : timeZone
  } catch (cause) {
    throw new AppError('template.timezone', { name: name.slice(0, 64) }, { cause })
  }
}

const utc: TimeZone = {
  name: 'UTC',
  offsetAt: () => 0,
  toInstant: (localMs) => localMs,
  abbreviationAt: () => 'UTC',
}

class NamedZone implements TimeZone {
  readonly name: string
  private readonly format: Intl.DateTimeFormat
  private readonly spans = new Map<number, OffsetPeriod>()
  private readonly abbreviations = new Map<number, string>()

  constructor(name: string) {
    this.name = name
    this.format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  }

  offsetAt(epochMs: number): number {
    const number = Math.floor(epochMs / spanMs)
    let span = this.spans.get(number)
    if (span === undefined) {
      if (this.spans.size >= maxSpans) this.spans.clear()
      span = this.inferSpan(number * spanMs)
      this.spans.set(number, span)
    }
    return epochMs < span.change ? span.before : span.after
  }

  toInstant(localMs: number): number {
    const early = this.offsetAt(localMs - 86_400_000)
    const first = localMs - early
    if (this.offsetAt(first) === early) return first
    const offsetAfter = this.offsetAt(localMs + 86_400_000)
    const second = localMs - offsetAfter
    return this.offsetAt(second) === offsetAfter ? second : first
  }

  abbreviationAt(epochMs: number): string {
    const offset = this.offsetAt(epochMs)
    let text = this.abbreviations.get(offset)
    if (text === undefined) {
      text = abbreviation(this.name, epochMs)
      this.abbreviations.set(offset, text)
    }
    return text
  }

  private inferSpan(start: number): OffsetPeriod {
    const end = start + spanMs
    const before = this.formattedOffset(start)
    const after = this.formattedOffset(end - 1)
    if (before === after) return { before, change: end, after }
    let [low, high] = [start, end - 1]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (this.formattedOffset(middle) === before) low = middle
      else high = middle
    }
    return { before, change: high, after }
  }

  private formattedOffset(epochMs: number): number {
    const inRange = Math.max(-8.64e15, Math.min(8.64e15, epochMs))
    const match = /GMT([+-])(\d\d):?(\d\d)(?::?(\d\d))?/.exec(this.format.format(inRange))
    if (match === null) return 0
    const [, sign, hours, minutes, seconds] = match
    const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0)) * 1000
    return sign === '-' ? -ms : ms
  }
}

/** Abbreviations differ between regions: English has them for the zones of its own country only. */
const englishes = ['en-US', 'en-GB', 'en-AU', 'en-NZ', 'en-ZA', 'en-IN', 'en-CA']

function abbreviation(timeZone: string, epochMs: number): string {
  let numeric = ''
  for (const english of englishes) {
    const parts = new Intl.DateTimeFormat(english, { timeZone, timeZoneName: 'short' }).formatToParts(epochMs)
    const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
    if (!/^(GMT|UTC)[+-]/.test(name)) return name
    numeric ||= name
  }
  return numeric
}
