/**
 * Appends all items to a list. `list.push(...items)` passes each item as an argument of its own, and V8 refuses some 120,000 of
 * them with a RangeError, so it is only for lists whose length the caller of the service does not decide.
 */
export function pushAll<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item)
}
