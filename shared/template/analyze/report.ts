/** Collects every problem of a template, so that all of them are told at once. */
import { AppError, type Details, type Place, type Problem } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalogue.ts'
import type { Warning } from '../../plugin/contract.ts'

/** More than these help nobody. */
const problemsAtMost = 100

export class Report {
  readonly problems: Problem[] = []
  readonly warnings: Warning[] = []
  readonly #seen = new Set<string>()
  #first: AppError | undefined

  add<Code extends ErrorCode>(code: Code, details: Details<Code>, place: Place): void {
    // The details are checked by the signature; the constructor's own check cannot see through Code.
    const error = new (AppError as unknown as new (code: ErrorCode, details: unknown) => AppError)(
      code,
      details,
    )
    this.#first ??= error
    const key = `${code}|${error.message}|${place.part}|${place.snippet ?? ''}`
    if (this.#seen.has(key) || this.problems.length >= problemsAtMost) return
    this.#seen.add(key)
    this.problems.push({
      code,
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      place,
    })
  }

  warn(code: string, message: string, where: string): void {
    if (this.warnings.length < problemsAtMost) this.warnings.push({ code, message, where })
  }

  /** Throws when there was a problem: the one itself, or all of them under one roof. */
  settle(): void {
    const first = this.#first
    if (first === undefined) return
    const extra = { problems: this.problems }
    if (this.problems.length === 1) {
      const Single = AppError as unknown as new (
        code: ErrorCode,
        details: unknown,
        extra: unknown,
      ) => AppError
      throw new Single(first.code, first.details, extra)
    }
    throw new AppError(
      'template.several',
      { count: this.problems.length, first: this.problems[0]!.message },
      extra,
    )
  }
}
