import type * as Client from 'platen/client'

/** A file as its bytes arrive: several chunks whose lengths are no multiple of three. */
const streamOf = (text: string): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) =>
    bytes.slice(at * 7, at * 7 + 7),
  )
  return new ReadableStream({
    pull(controller) {
      const next = chunks.shift()
      if (next === undefined) controller.close()
      else controller.enqueue(next)
    },
  })
}

const thrownBy = async (work: Promise<unknown>): Promise<Client.PlatenError> => {
  try {
    await work
  } catch (error) {
    return error as Client.PlatenError
  }
  throw new Error('It did not fail.')
}

/**
 * What a program does with the client, from the first call to the last: the same in each runtime, and against each
 * host. Returns what it saw.
 */
export async function useEverything(
  { Platen, NotFoundError, RenderError, InvalidRequestError }: typeof Client,
  options: Client.PlatenOptions,
) {
  const platen = new Platen(options)
  const { templates } = platen
  const file = 'Hi {d.name}, of {d.place}'
  const body = { data: { name: 'Ann', place: 'Ulm' }, reportName: 'Für {d.name}' }

  const uploaded = await templates.upload(new Blob([file]), { versioning: true, name: 'hi' })
  const later = await templates.upload(streamOf('Later {d.name}'), {
    id: uploaded.id,
    fileName: 'later.md',
    tags: ['b', 'a'],
  })
  const rendered = await platen.render(uploaded.versionId, body)
  const kept = await platen.store(later.id, body)
  const fetched = await (await platen.fetch(kept.renderId)).text()
  const job = await platen.renderAsync(streamOf(file), body)
  const jobText = await (await job.document()).text()
  const silent = await thrownBy(job.repeatWebhook())
  const jobs: string[] = []
  for await (const { jobId } of platen.jobs({ limit: 1 })) jobs.push(jobId)
  const results: string[] = []
  const items = Array.from({ length: 23 }, (_, at) => ({ name: `n${at}`, place: 'x' }))
  for await (const { index, name, bytes } of platen.batch(streamOf(file), {
    items,
    batchReportName: '{d.name}',
  }))
    results.push(`${index} ${name} ${new TextDecoder().decode(bytes)}`)
  const broken = await thrownBy(platen.render(streamOf('{d.a:nothing}'), { data: {} }))
  const failing = await platen.renderAsync(streamOf('{d.a:nothing}'), { data: {} })
  const brokenLater = await thrownBy(failing.renderId())
  const listed: string[] = []
  for await (const template of templates.list({ limit: 1, includeVersions: true, id: uploaded.id }))
    listed.push(`${template.name}.${template.type}`)
  const changed = await templates.update(uploaded.versionId, { name: 'changed', category: 'letters' })
  const downloaded = await (await templates.download(uploaded.versionId)).text()
  const tags = await templates.tags()
  const { schema } = await platen.schema(uploaded.versionId)
  const lint = await platen.lint(new TextEncoder().encode(file), { data: { name: 'Ann' } })
  const cases = [{ name: 'Ann', request: body, expect: { contains: ['Hi Ann, of Ulm'] } }]
  await templates.setCases(uploaded.id, cases)
  const storedCases = await templates.cases(uploaded.id)
  const { versionId } = uploaded
  const checks = [
    await templates.check(uploaded.id),
    await templates.check(uploaded.id, { cases, versionId }),
    await templates.check(streamOf(file), { cases, names: ['Ann'] }),
  ]
  await templates.delete(uploaded.id)
  const gone = await thrownBy(templates.download(uploaded.id))
  const again = await thrownBy(platen.fetch(kept.renderId))
  const wrong = await thrownBy(platen.render('not an id'))
  const pairs = await platen.conversions()
  const { success } = await platen.status()
  return {
    checks: [storedCases.length, ...checks.map(({ passed }) => passed)],
    rendered: [await rendered.text(), rendered.name, rendered.type, typeof rendered.requestId],
    fetched,
    job: jobText,
    jobs: jobs.includes(job.id),
    silent: silent.status,
    done: (await platen.job(job.id).report()).jobId === job.id,
    batch: results.length,
    lastOfBatch: results.at(-1),
    broken: [broken, brokenLater].map((error) => [
      error instanceof RenderError,
      error.code,
      error.problems[0]?.place?.tag,
    ]),
    listed: listed.sort(),
    changed: changed.name,
    downloaded,
    tags,
    schema: schema['required'],
    lint: lint.warnings.length,
    gone: [gone instanceof NotFoundError, gone.status],
    again: again instanceof NotFoundError,
    wrong: [wrong instanceof InvalidRequestError, wrong.status],
    pairs: pairs.some(({ from, to }) => from === 'md' && to === 'html'),
    success,
  }
}

/** What `useEverything` returns with every host and in every runtime. */
export const expected = {
  checks: [1, false, true, true],
  rendered: ['Hi Ann, of Ulm', 'Für Ann.txt', 'text/plain; charset=utf-8', 'string'],
  fetched: 'Later Ann',
  job: 'Hi Ann, of Ulm',
  jobs: true,
  silent: 409,
  done: true,
  batch: 23,
  lastOfBatch: '22 n22.txt Hi n22, of x',
  broken: [
    [true, 'w101', '{d.a:nothing}'],
    [true, 'w101', '{d.a:nothing}'],
  ],
  listed: ['hi.txt', '.md'].sort(),
  changed: 'changed',
  downloaded: 'Hi {d.name}, of {d.place}',
  tags: ['a', 'b'],
  schema: ['name', 'place'],
  lint: 1,
  gone: [true, 404],
  again: true,
  wrong: [true, 400],
  pairs: true,
  success: true,
}
