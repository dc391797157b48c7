import { Validator } from '@seriousme/openapi-schema-validator'
import { Compile } from 'typebox/schema'
import { describe, expect, it } from 'vitest'
import { openapiDocument } from '../../../shared/api/openapi.ts'
import { routes } from '../../../shared/api/routes/index.ts'
import { catalogue } from '../../../shared/errors/catalogue.ts'
import type { CatalogueEntry } from '../../../shared/errors/entry.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document of another's schema, looked into field by field
type Json = any
// As callers get it: through JSON.
const document: Json = JSON.parse(
  JSON.stringify(openapiDocument(routes, { version: '1.2.3', server: 'https://api.example' })),
)

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const found = await validator.validate(structuredClone(document))
    expect([found.valid, found.errors]).toEqual([true, undefined])
    expect(validator.version).toBe('3.1')
  })

  it('has every route, with its parameters, body and answers', () => {
    for (const route of routes.filter(({ described }) => described !== false)) {
      const operation = document.paths[route.path.replace(/:(\w+)/g, '{$1}')][route.method.toLowerCase()]
      expect([route.path, operation.operationId]).toEqual([route.path, route.operation])
      expect(operation.summary).toMatch(/\.$/)
      const names = operation.parameters.map((each: { name: string }) => each.name)
      expect(names).toEqual(
        expect.arrayContaining([...Object.keys(route.query ?? {}), ...Object.keys(route.headers ?? {})]),
      )
      expect(names).toEqual(expect.arrayContaining(['x-request-id', 'traceparent']))
      for (const [status, answer] of Object.entries<Json>(operation.responses))
        if (status !== 'default') expect(Object.keys(answer.headers)).toContain('x-request-id')
      expect(Object.keys(operation.requestBody?.content ?? {})).toEqual(route.body?.types ?? [])
      for (const { status } of route.answers) expect(operation.responses[status]).toBeDefined()
      expect(operation.responses.default).toBeDefined()
      expect(operation.security).toEqual(route.scope === 'open' ? [] : [{ token: [] }, {}])
    }
  })

  it('has an example of every answer in JSON, and each fits its schema', () => {
    let seen = 0
    for (const [path, operations] of Object.entries<Json>(document.paths))
      for (const [method, { responses }] of Object.entries<Json>(operations))
        for (const [status, { content }] of Object.entries<Json>(responses)) {
          const described = content?.['application/json']
          if (described === undefined || status === 'default') continue
          const { $ref, ...own } = described.schema
          const fits = Compile($ref === undefined ? own : document.components.schemas.Error)
          const given = Object.entries<Json>(described.examples ?? {})
          expect([method, path, status, given.length > 0]).toEqual([method, path, status, true])
          for (const [name, { value }] of given) {
            seen++
            expect([path, status, name, fits.Check(value), [...fits.Errors(value)[1]]]).toEqual([
              path,
              status,
              name,
              true,
              [],
            ])
            // No hole of a message is left open.
            expect([name, value.error ?? '']).toEqual([name, expect.not.stringMatching(/\{\w+\}/)])
          }
        }
    expect(seen).toBeGreaterThan(100)
  })

  it('names every code that an error can have', () => {
    const { description } = document.components.schemas.Error.properties.code
    const entries: readonly CatalogueEntry[] = Object.values(catalogue)
    for (const { wire } of entries) if (wire !== undefined) expect(description).toContain(wire)
    for (const wire of ['w101', 'w104', 'w115', 'w117', 'w118', 'w130', 'w131', 'w201'])
      expect(description).toContain(wire)
  })

  it('describes each member of the render body', () => {
    const body = document.paths['/render/{id}'].post.requestBody.content['application/json'].schema.properties
    for (const name of 'data convertTo converter template timezone lang complement variableStr reportName enum translations currencySource currencyTarget currencyRates hardRefresh failOn batchSplitBy batchOutput batchReportName preReleaseFeatureIn'.split(
      ' ',
    ))
      expect([name, body[name]]).toEqual([name, expect.any(Object)])
  })
})
