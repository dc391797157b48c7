import type { TSchema } from 'typebox'
import { setEntry } from '../entry-of.ts'
import { AppError } from '../errors/app-error.ts'
import { firstIssue } from '../schemas/check.ts'
import { looseFlag } from '../schemas/loose-flag.ts'

/**
 * Reads the parameters of an endpoint: integers and flags as such, the rest as text. Empty ones count as absent, except
 * flags. Throws 'api.query'.
 */
export function readQuery(
  query: URLSearchParams,
  schemas: Readonly<Record<string, TSchema>>,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(schemas)) {
    const text = query.get(name)?.trim()
    const { type } = schema as { readonly type?: string }
    if (text === undefined || (text === '' && type !== 'boolean')) continue
    setEntry(
      values,
      name,
      type === 'boolean'
        ? text === '' || looseFlag(text)
        : type === 'integer' && /^-?\d{1,15}$/.test(text)
          ? Number(text)
          : text,
    )
  }
  const issue = firstIssue(schemas, values)
  if (issue !== undefined) throw new AppError('api.query', { issue: issue.issue })
  return values
}
