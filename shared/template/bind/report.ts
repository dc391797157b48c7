/** Collects the problems of a template, so that all of them are reported together. */
import { AppError, type Details, type Problem, type ProblemLocation } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalogue.ts'
import type { Warning } from '../../plugin/values.ts'
import type { TagLocation } from './part.ts'

/** The maximum number of problems in a report. Authors fix the first few and render again. */
const maxProblems = 100

interface PlacedProblem {
  readonly problem: Problem
  readonly part: number
  readonly offset: number
}

const byPart = (a: PlacedProblem, b: PlacedProblem): number => {
  const [x = '', y = ''] = [a.problem.place?.part, b.problem.place?.part]
  return x < y ? -1 : x > y ? 1 : 0
}

export class Report {
  readonly #problems: PlacedProblem[] = []
  readonly warnings: Warning[] = []
  /** The code, message and location of each reported problem, so that it is reported once. */
  readonly #reported = new Set<string>()
  readonly #parts: readonly string[]
  /** Unknown formatter -> the known one with a similar name, which is searched once for each name. */
  readonly suggested = new Map<string, string | undefined>()
  /** The error of the first problem, which is thrown itself when there is no other. */
  #first: AppError | undefined
  /** The number of further problems whose position may still be computed. */
  #positions = 2 * maxProblems

  /** `parts`: the names of the parts, in the order in which their problems are listed. */
  constructor(parts: readonly string[]) {
    this.#parts = parts
  }

  /**
   * Whether to compute the position of a tag. It requires reading all tokens before the tag, and most problems
   * beyond the limit are dropped.
   */
  needsPosition(): boolean {
    this.#positions -= 1
    return this.#positions >= 0
  }

  /** Whether the list is full, so that work that only improves a message can be skipped. */
  get full(): boolean {
    return this.#problems.length >= maxProblems
  }

  get failed(): boolean {
    return this.#first !== undefined
  }

  add<Code extends ErrorCode>(
    code: Code,
    details: Details<Code>,
    location: ProblemLocation | TagLocation,
  ): void {
    // The details are checked by the signature; the constructor's own check cannot see through Code.
    const error = new (AppError as unknown as new (code: ErrorCode, details: unknown) => AppError)(
      code,
      details,
    )
    this.#first ??= error
    const { offset, ...place } = { offset: 0, ...location }
    const key = `${code}|${error.message}|${place.part}|${place.snippet ?? ''}`
    if (this.#reported.has(key) || this.#problems.length >= maxProblems) return
    this.#reported.add(key)
    const hint = error.hint === undefined ? {} : { hint: error.hint }
    const problem: Problem = { code, message: error.message, ...hint, place }
    const partIndex = this.#parts.indexOf(place.part)
    // Problems of embedded parts follow those of all others.
    this.#problems.push({ problem, part: partIndex < 0 ? this.#parts.length : partIndex, offset })
  }

  warn(code: string, message: string, where: string): void {
    if (this.warnings.length < maxProblems) this.warnings.push({ code, message, where })
  }

  /** The problems in reading order: by part, then by position in it. */
  get problems(): readonly Problem[] {
    const sorted = [...this.#problems].sort((a, b) => a.part - b.part || byPart(a, b) || a.offset - b.offset)
    return sorted.map(({ problem }) => problem)
  }

  /** Throws if there was a problem: a single one as it is, several as 'template.several' with the list. */
  throwIfFailed(): void {
    const first = this.#first
    if (first === undefined) return
    const { problems } = this
    const extra = { problems }
    if (problems.length === 1) {
      const Single = AppError as unknown as new (
        code: ErrorCode,
        details: unknown,
        extra: unknown,
      ) => AppError
      throw new Single(first.code, first.details, extra)
    }
    throw new AppError('template.several', { count: problems.length, first: problems[0]!.message }, extra)
  }
}
