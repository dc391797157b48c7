/** Runs the cases of a template one after the other, so that they occupy no more engine slots than one render. */
import { AppError } from '../../errors/app-error.ts'
import type { TemplateRow } from '../../records/templates.ts'
import { charge, settle } from '../../services/accounts.ts'
import { asyncTimeoutMs, type Services } from '../../services/services.ts'
import { openChecks } from '../../services/template-checks.ts'
import { type BeforeDeploy, type RenderTemplate, rowTemplate } from '../../services/templates.ts'
import { priceOf } from '../prepare/prepare-render.ts'
import { forTestToken } from '../test-tokens.ts'
import { type CheckCase, readCases } from './read-checks.ts'
import { type CaseReport, runCase } from './run-case.ts'

export interface CheckReport {
  readonly passed: boolean
  readonly cases: readonly CaseReport[]
}

export interface CheckBounds {
  /** Absent on the command line: nothing is charged, and stored templates cannot be appended. */
  readonly account: string | undefined
  /** The caller has a test token, so documents get a watermark. */
  readonly test: boolean
  readonly withPictures: boolean
  readonly signal: AbortSignal
}

/** Returns the cases that are stored with a version. */
export async function casesOf(services: Services, row: TemplateRow): Promise<readonly CheckCase[]> {
  const stored = await openChecks(services, row)
  return stored === undefined ? [] : readCases(stored)
}

/** Returns the cases with these names in this order, or all cases without names. Throws 'api.checks.name'. */
export function casesNamed(
  cases: readonly CheckCase[],
  names: readonly string[] | undefined,
): readonly CheckCase[] {
  if (names === undefined) return cases
  return names.map((name) => {
    const testCase = cases.find((testCase) => testCase.name === name)
    if (testCase === undefined) throw new AppError('api.checks.name')
    return testCase
  })
}

/**
 * Renders each case and compares the result. All cases together have the time limit of an asynchronous render. On a hosted
 * service each case costs what its render costs; a case whose render fails is free. Throws 'api.credits', 'api.aborted',
 * 'api.render.timeout'.
 */
export async function runChecks(
  services: Services,
  template: RenderTemplate,
  cases: readonly CheckCase[],
  { account, test, withPictures, signal: caller }: CheckBounds,
): Promise<CheckReport> {
  const ms = asyncTimeoutMs(services.settings)
  const signal = AbortSignal.any([caller, AbortSignal.timeout(ms)])
  const counted = services.settings.hosted === true && !test && account !== undefined
  const runs = cases.map((testCase) => ({
    ...testCase,
    request: test ? forTestToken(services, testCase.request, template.format.id) : testCase.request,
  }))
  const prices = counted ? await Promise.all(runs.map(({ request }) => priceOf(services, request))) : []
  const charged = counted ? await charge(services, account, sum(prices)) : undefined
  const reports: CaseReport[] = []
  // The credits of cases that produced no document or did not run are refunded.
  const unused = () => sum(prices.filter((_, index) => reports[index]?.rendered !== true))
  const end = () => settle(services, charged, unused())
  try {
    for (const run of runs)
      reports.push(await runCase(services, template, run, { account, signal, withPictures }))
  } catch (error) {
    await end()
    if (signal.aborted && !caller.aborted) throw new AppError('api.render.timeout', { ms }, { cause: error })
    throw error
  }
  await end()
  return { passed: reports.every(({ passed }) => passed), cases: reports }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/**
 * Returns a function that refuses to deploy a version whose cases fail, if the operator requires that. A version without
 * cases is deployed. The function throws 'api.checks.failed', and what `runChecks` throws.
 */
export function deployRule(
  services: Services,
  { test, signal }: Pick<CheckBounds, 'test' | 'signal'>,
): BeforeDeploy | undefined {
  if (services.settings.deployRequiresChecks !== true || services.settings.stateless) return undefined
  return async (row) => {
    const cases = await casesOf(services, row)
    if (cases.length === 0) return
    const bounds = { account: row.account, test, withPictures: false, signal }
    const { cases: reports } = await runChecks(services, rowTemplate(services, row), cases, bounds)
    const failed = reports.filter(({ passed }) => !passed)
    const [first] = failed
    if (first === undefined) return
    throw new AppError('api.checks.failed', {
      name: first.name,
      more: failed.length === 1 ? '' : `, and ${failed.length - 1} more`,
      why: first.failures[0]?.message ?? '',
    })
  }
}
