/**
 * Reads values from the data. Only own properties are read, so that a template cannot access anything outside of the JSON.
 */

import { entryOf } from '../../entry-of.ts'

/** An own property of an object or array; undefined for everything else. */
export function property(object: unknown, name: string): unknown {
  return typeof object === 'object' && object !== null
    ? entryOf(object as Record<string, unknown>, name)
    : undefined
}

/** Follows names through objects; undefined where one is missing. */
export function walk(object: unknown, keys: readonly string[]): unknown {
  // Iterates by index, as `emit` does.
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index]!
    if (typeof object !== 'object' || object === null) return undefined
    object = entryOf(object as Record<string, unknown>, key)
  }
  return object
}

const nothing: readonly unknown[] = []

/** The items that a loop runs over: those of an array, or one pair { att, val } for each property of an object. */
export function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return nothing
  return Object.entries(value).map(([att, val]: [string, unknown]) => ({ att, val }))
}
