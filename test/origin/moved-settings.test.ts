import { describe, expect, it } from 'vitest'
import { readConfig } from '../../origin/config.ts'

/** The files' addresses of a configuration in which nothing is unknown. */
function urls(environment: Readonly<Record<string, string>>): readonly string[] {
  const { config, warnings } = readConfig([], environment)
  expect(warnings).toEqual([])
  return config.blobsUrl
}
const azure = { AZURE_STORAGE_ACCOUNT: 'acme', AZURE_STORAGE_KEY: 'a+b/c==' }
const sample: readonly (readonly [Readonly<Record<string, string>>, readonly string[]])[] = [
  [{}, []],
  [{ AWS_ACCESS_KEY_ID: 'id', AZURE_STORAGE_ACCOUNT: 'acme' }, []],
  [{ BUCKET_TEMPLATES: 'one' }, ['s3://one?']],
  [{ BUCKET_TEMPLATES: 'one', BUCKET_RENDERS: 'one' }, ['s3://one?']],
  [
    {
      BUCKET_TEMPLATES: 'one',
      BUCKET_RENDERS: 'two',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'a/b',
      AWS_ENDPOINT_URL: 'https://s3.example.com',
      AWS_REGION: 'eu-west-1',
    },
    ['one', 'two'].map(
      (name) => `s3://id:a%2Fb@${name}?region=eu-west-1&endpoint=https%3A%2F%2Fs3.example.com`,
    ),
  ],
  [{ ...azure, CONTAINER_TEMPLATES: 'one' }, ['azure://acme:a%2Bb%2Fc%3D%3D@one?']],
  [
    {
      ...azure,
      CONTAINER_TEMPLATES: 'one',
      CONTAINER_RENDERS: 'two',
      AZURE_STORAGE_ENDPOINT: 'http://127.0.0.1:10000/acme',
    },
    ['one', 'two'].map(
      (name) => `azure://acme:a%2Bb%2Fc%3D%3D@${name}?endpoint=http%3A%2F%2F127.0.0.1%3A10000%2Facme`,
    ),
  ],
  [{ SERVICE_BLOBS_URL: 's3://mine', BUCKET_TEMPLATES: 'one' }, ['s3://mine']],
  [{ SERVICE_BLOBS_URL: 's3://mine, azure://a:b@other' }, ['s3://mine', 'azure://a:b@other']],
]

describe('where files are kept', () => {
  it.each(sample)('%j', (environment, expected) => {
    expect(urls(environment)).toEqual(expected)
  })

  const unclear: readonly Readonly<Record<string, string>>[] = [
    { BUCKET_RENDERS: 'one' },
    { CONTAINER_RENDERS: 'one' },
    { CONTAINER_TEMPLATES: 'one' },
    { ...azure, CONTAINER_TEMPLATES: 'a container' },
    { BUCKET_TEMPLATES: '../one' },
  ]
  it.each(unclear)('is refused when it is ambiguous: %j', (environment) => {
    expect(() => urls(environment)).toThrow(expect.objectContaining({ code: 'storage.names' }))
  })
})

describe('whether there is a database', () => {
  it.each([
    ['false', true],
    ['off', true],
    ['true', false],
    ['', false],
  ])('SERVICE_TEMPLATE_MANAGEMENT=%s', (management, stateless) => {
    const { config, warnings } = readConfig([], { SERVICE_TEMPLATE_MANAGEMENT: management })
    expect([config.stateless, warnings]).toEqual([stateless, []])
  })
})
