/** Inspects a template: its problems, a schema of the data that it reads, and sample data. Nothing is rendered. */
import { AppError } from '../../errors/app-error.ts'
import type { Limits } from '../../limits.ts'
import type { Inspection, InspectJob, JsonInput } from '../../ports/merger.ts'
import { type Inspected, inspect } from '../compile.ts'
import type { TemplatePackage } from '../package.ts'
import { infer } from './infer.ts'
import { lint } from './lint.ts'
import { missingData } from './missing.ts'
import { sampleOf } from './sample.ts'
import { documentSchema, isEmpty } from './schema.ts'

/** The dependencies of an inspection besides the template. */
export interface InspectContext {
  readonly limits: Limits
  /** Throws AppError 'template.data'. */
  readonly parse: (input: JsonInput, field: string) => unknown
}

/** Throws AppError 'template.data' when the data to compare with is not JSON. */
export function inspectTemplate(
  source: TemplatePackage,
  job: InspectJob,
  { limits, parse }: InspectContext,
): Inspection {
  const read = readOrError(source, job, limits)
  if (read instanceof AppError) {
    const { code, message, hint, problems } = read
    const problem = { code, message, ...(hint === undefined ? {} : { hint }) }
    return {
      errors: problems.length > 0 ? problems : [problem],
      warnings: [],
      tags: [],
      schema: { type: 'object' },
      sample: { data: {} },
    }
  }
  const inferred = infer(read.values, read.translations)
  const value = (input: JsonInput | undefined, field: string) =>
    input === undefined ? undefined : parse(input, field)
  return {
    errors: read.report.problems,
    warnings: [
      ...read.report.warnings,
      ...lint(read.parts, read.scoped),
      ...missingData(inferred, value(job.data, 'data'), value(job.complement, 'complement')),
    ],
    tags: read.parts.flatMap(({ tagTexts }) => tagTexts),
    schema: documentSchema(inferred.d, 'd'),
    ...(isEmpty(inferred.c) ? {} : { complementSchema: documentSchema(inferred.c, 'c') }),
    sample: sampleOf(inferred, job.lang),
  }
}

/** Returns the opened template, or the error that prevents reading it, such as a part that is not XML. */
function readOrError(source: TemplatePackage, job: InspectJob, limits: Limits): Inspected | AppError {
  try {
    return inspect(source, { limits, languageLevel: job.languageLevel, variables: job.variableStr })
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
