/** Media descriptors in the syntax of the office's command line. */

export function inputArguments(load: Readonly<Record<string, unknown>>): string[] {
  const { FilterName, FilterOptions } = load
  if (FilterName === undefined) return []
  return [`--infilter=${FilterName}${FilterOptions === undefined ? '' : `:${FilterOptions}`}`]
}

/** Filter data is written on the command line as JSON with types. */
export function outputFilter(store: Readonly<Record<string, unknown>>): string {
  const { FilterName, FilterOptions, FilterData } = store
  if (FilterOptions !== undefined) return `${FilterName}:${FilterOptions}`
  if (FilterData === undefined) return String(FilterName)
  const data = Object.entries(FilterData as Readonly<Record<string, unknown>>).map(([name, value]) => [
    name,
    { type: typeof value === 'number' ? 'long' : typeof value, value: String(value) },
  ])
  return `${FilterName}:${JSON.stringify(Object.fromEntries(data))}`
}
