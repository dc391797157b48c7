/** `true`, `1` and a bare `?name` are true; everything else is false (api-decisions 3). */
export function queryFlag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)
  return value === '' || value === '1' || value?.toLowerCase() === 'true'
}
