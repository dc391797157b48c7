import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { openapiDocument } from '../../../shared/api/openapi.ts'
import { routes } from '../../../shared/api/routes/index.ts'
import { catalogue } from '../../../shared/errors/catalogue.ts'
import type { Entry } from '../../../shared/errors/entry.ts'

// As callers get it: through JSON.
// biome-ignore lint/suspicious/noExplicitAny: a document of another's schema, looked into field by field
const document: any = JSON.parse(
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
    for (const route of routes) {
      const operation = document.paths[route.path.replace(/:(\w+)/g, '{$1}')][route.method.toLowerCase()]
      expect([route.path, operation.operationId]).toEqual([route.path, route.operation])
      expect(operation.summary).toMatch(/\.$/)
      const names = operation.parameters.map((each: { name: string }) => each.name)
      expect(names).toEqual(
        expect.arrayContaining([...Object.keys(route.query ?? {}), ...Object.keys(route.headers ?? {})]),
      )
      expect(Object.keys(operation.requestBody?.content ?? {})).toEqual(route.body?.types ?? [])
      for (const { status } of route.answers) expect(operation.responses[status]).toBeDefined()
      expect(operation.responses.default).toBeDefined()
      expect(operation.security).toEqual(route.scope === 'open' ? [] : [{ token: [] }, {}])
    }
  })

  it('names every code that an error can have', () => {
    const { description } = document.components.schemas.Error.properties.code
    const entries: readonly Entry[] = Object.values(catalogue)
    for (const { wire } of entries) if (wire !== undefined) expect(description).toContain(wire)
    for (const wire of ['w101', 'w104', 'w115', 'w117', 'w118', 'w130', 'w131', 'w201'])
      expect(description).toContain(wire)
  })

  it('says of each member what it is, and what the render body takes', () => {
    const body = document.paths['/render/{id}'].post.requestBody.content['application/json'].schema.properties
    for (const name of 'data convertTo converter template timezone lang complement variableStr reportName enum translations currencySource currencyTarget currencyRates hardRefresh failOn batchSplitBy batchOutput batchReportName preReleaseFeatureIn'.split(
      ' ',
    ))
      expect([name, body[name]]).toEqual([name, expect.any(Object)])
  })
})
