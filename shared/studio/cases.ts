import type { TemplateCase } from './model/client.ts'
import { dataSetOf, readOptions } from './model/options.ts'
import type { Session } from './session.ts'

/** The actions of a session on the test cases of the open template, which belong to its stored version. */

/** Loads the cases of the version that the open template was opened from or saved as. */
export async function loadCases(session: Session): Promise<void> {
  const versionId = session.state.template?.stored?.versionId
  if (versionId === undefined) return session.change({ cases: [], reports: new Map() })
  await noted(session, async () => {
    const cases = await session.client.cases(versionId)
    if (session.state.template?.stored?.versionId !== versionId) return
    const names = new Set(cases.map(({ name }) => name))
    const reports = new Map([...session.state.reports].filter(([name]) => names.has(name)))
    session.change({ cases, reports })
  })
}

/** Runs one or all test cases with the current template, saved or not. */
export async function runCases(session: Session, name?: string): Promise<void> {
  const { cases = [], checking } = session.state
  const chosen = cases.filter((testCase) => name === undefined || testCase.name === name)
  const template = session.openFile64()
  if (template === undefined || chosen.length === 0 || checking) return
  const { generation } = session
  session.change({ checking: true })
  await noted(session, async () => {
    const received = await session.client.check(template, chosen)
    if (generation !== session.generation) return
    const reports = new Map(session.state.reports)
    for (const report of received) reports.set(report.name, report)
    session.change({ reports })
  })
  session.change({ checking: false })
}

export interface RecordedCase {
  readonly name: string
  readonly contains: readonly string[]
  /** Whether the number of pages and the appearance of a page become expectations. */
  readonly pages: boolean
  readonly page: number | undefined
}

/** Adds a case of the current data and options, or replaces the one of that name. Throws ServiceError. */
export async function recordCase(
  session: Session,
  { name, contains, pages, page }: RecordedCase,
): Promise<void> {
  const request = session.currentRequest()
  const template = session.openFile64()
  if (template === undefined || request === undefined) return
  const asked: TemplateCase = {
    name,
    request,
    expect: {
      ...(contains.length > 0 && { contains }),
      ...(pages && { pages: { min: 1 } }),
      ...(page !== undefined && { pictures: [{ page }] }),
    },
  }
  const [found] = await session.client.check(template, [asked])
  const pictures =
    found?.pictures?.flatMap(({ page, png }) => (png === undefined ? [] : [{ page, png }])) ?? []
  const recorded: TemplateCase = {
    ...asked,
    expect: {
      ...asked.expect,
      ...(pages && found?.pages !== undefined && { pages: found.pages }),
      ...(pictures.length > 0 && { pictures }),
    },
  }
  const { cases = [] } = session.state
  const at = cases.findIndex((testCase) => testCase.name === name)
  await store(session, at === -1 ? [...cases, recorded] : cases.with(at, recorded))
  await runCases(session, name)
}

/** Replaces the expected pictures of a case by the current pages. */
export async function acceptPictures(session: Session, name: string): Promise<void> {
  const drawn = session.state.reports.get(name)?.pictures ?? []
  const accepted = (session.state.cases ?? []).map((testCase) => {
    if (testCase.name !== name || testCase.expect?.pictures === undefined) return testCase
    const pictures = testCase.expect.pictures.map((picture) => {
      const png = drawn.find(({ page }) => page === picture.page)?.png
      return png === undefined ? picture : { ...picture, png }
    })
    return { ...testCase, expect: { ...testCase.expect, pictures } }
  })
  await noted(session, () => store(session, accepted))
  await runCases(session, name)
}

/**
 * Replaces the current data by those of a case; parts that the case lacks are removed. Other options of the case are
 * not applied.
 */
export function useDataOf(session: Session, name: string): Promise<void> {
  const request = session.state.cases?.find((testCase) => testCase.name === name)?.request ?? {}
  const done = `The data of “${name}” are in use.`
  return noted(session, async () => session.useData(dataSetOf(readOptions(request))), done)
}

export async function removeCase(session: Session, name: string): Promise<void> {
  const { cases = [] } = session.state
  await noted(session, () =>
    store(
      session,
      cases.filter((testCase) => testCase.name !== name),
    ),
  )
}

async function store(session: Session, cases: readonly TemplateCase[]): Promise<void> {
  const versionId = session.state.template?.stored?.versionId
  if (versionId === undefined) return
  await session.client.replaceCases(versionId, cases)
  await loadCases(session)
}

/** Runs an action and shows that it is done, or why it failed. */
async function noted(session: Session, run: () => Promise<void>, done = ''): Promise<void> {
  try {
    await run()
    session.change({ casesNote: done })
  } catch (error) {
    session.change({ casesNote: session.failed(error).message })
  }
}
