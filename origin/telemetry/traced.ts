import type { Converter } from '../../shared/convert/converter.ts'
import type { Blobs, Merger, Sql } from '../../shared/ports/index.ts'
import type { Tracing } from '../../shared/ports/tracing.ts'

/** Services whose work is recorded as spans below the request or job that causes it. */

export function tracedMerger(merger: Merger, tracing: Tracing): Merger {
  return {
    ...merger,
    merge: (job, signal) =>
      tracing.span(
        {
          name: 'merge',
          attributes: { 'template.format': job.template.format },
          describe: ({ value }) => ({ 'plan.reused': value.planReused }),
        },
        () => merger.merge(job, signal),
      ),
  }
}

export function tracedConverter(converter: Converter, tracing: Tracing): Converter {
  return {
    ...converter,
    convert: (request) =>
      tracing.span(
        {
          name: 'convert',
          attributes: { from: request.from, to: request.to },
          describe: ({ engines }) => ({ engines: engines.join(',') }),
        },
        () => converter.convert(request),
      ),
  }
}

export function tracedSql(sql: Sql, tracing: Tracing): Sql {
  const span = { name: 'records' } as const
  return {
    ...sql,
    query: (statement) => tracing.span(span, () => sql.query(statement)),
    batch: (statements) => tracing.span(span, () => sql.batch(statements)),
  }
}

export function tracedBlobs(blobs: Blobs, tracing: Tracing): Blobs {
  const span = (operation: string) => ({ name: 'blobs', attributes: { operation } })
  return {
    ...blobs,
    put: (key, body) => tracing.span(span('put'), () => blobs.put(key, body)),
    get: (key) => tracing.span(span('get'), () => blobs.get(key)),
    delete: (key) => tracing.span(span('delete'), () => blobs.delete(key)),
  }
}
