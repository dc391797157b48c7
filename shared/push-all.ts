/**
 * Appends all items to a list. `list.push(...items)` passes each item as an argument of its own, and V8 refuses some 120,000 of
 * them with a RangeError, so it is only for lists whose length the caller of the service does not decide.
 */
export function pushAll<Item>(list: Item[], items: Iterable<Item>): void {
  // An iterator of a list that is called from many places allocates a result for each item.
  if (Array.isArray(items)) for (let at = 0; at < items.length; at++) list.push(items[at])
  else for (const item of items) list.push(item)
}

/** Copies the properties of all layers to the target, later ones over earlier ones, and returns it. Undefined layers are skipped. */
export function assignAll<Target extends object>(
  target: Target,
  layers: Iterable<object | undefined>,
): Target {
  for (const layer of layers) Object.assign(target, layer)
  return target
}

/** Replaces `removed` items of a list from the index `at` by any number of others, like `list.splice(at, removed, ...items)`. */
export function spliceAll<Item>(list: Item[], at: number, removed: number, items: Iterable<Item>): void {
  const following = list.splice(at).slice(removed)
  pushAll(list, items)
  pushAll(list, following)
}
