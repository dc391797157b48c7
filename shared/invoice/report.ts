import { AppError, type Problem } from '../errors/app-error.ts'
import type { Warning } from '../plugin/values.ts'
import type { InvoiceProblem } from './problem.ts'
import type { ProfileName } from './profiles.ts'

/** The options of a request for its electronic invoice. */
export interface InvoiceRequest {
  /** The ID of a stored XML template, or the XML itself, that is filled with the same data and attached to the PDF. */
  readonly template?: string
  /** Absent: the profile that the XML declares. */
  readonly profile?: ProfileName
  /** Whether a violated rule fails the render ('errors', the default) or is reported as a warning. */
  readonly check?: 'errors' | 'warnings'
}

const maxShown = 3

/**
 * Reports the problems as an error with a problem for each, or as warnings. `name`: the file name of the invoice.
 * Throws 'invoice.rules' if there is an error among them and `check` is 'errors'.
 */
export function reportProblems(
  problems: readonly InvoiceProblem[],
  name: string,
  check: 'errors' | 'warnings',
): readonly Warning[] {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const [first] = errors
  if (first !== undefined && check === 'errors')
    throw new AppError(
      'invoice.rules',
      { name, rule: first.rule, because: first.message },
      { problems: errors.map((problem) => problemOf(problem, name)) },
    )
  const shown = problems.slice(0, maxShown).map(sentence)
  const more = problems.length - shown.length
  if (shown.length === 0) return []
  return [
    {
      code: 'invoice.rules',
      message: `${name}: ${shown.join(' ')}${more > 0 ? ` And ${more} more.` : ''}`,
    },
  ]
}

const sentence = ({ rule, message }: InvoiceProblem): string => `${rule}: ${message}`

function problemOf({ rule, field, path, message }: InvoiceProblem, name: string): Problem {
  return {
    code: 'invoice.rule',
    message: `${rule}: ${message}`,
    rule,
    ...(field !== '' && { field }),
    place: { part: name, at: path },
  }
}
