import { expect, it } from 'vitest'
import { readConfig } from '../../edge/config.ts'

it('takes sizes, zones and origins as the origin does', () => {
  const { settings, egress, warnings, logLevel } = readConfig(
    {
      SERVICE_MAX_DATA_SIZE: '2MB',
      SERVICE_TIMEZONE: 'Europe/Paris',
      SERVICE_ALLOW_ORIGIN: 'https://app.example.com',
      SERVICE_EGRESS_ALLOW_LIST: '*.example.com',
      SERVICE_HEADER_ALIASES: 'Acme',
      SERVICE_LOG_LEVEL: 'silent',
    },
    '1.0.0',
  )
  expect(warnings).toEqual([])
  expect(settings).toMatchObject({
    maxDataBytes: 2_097_152,
    timezone: 'Europe/Paris',
    allowOrigin: 'https://app.example.com',
    headerAliases: ['acme'],
  })
  expect([egress.allowedHosts, logLevel]).toEqual([['*.example.com'], 'silent'])
})

it.each([
  ['SERVICE_MAX_DATA_SIZE', '60XB', 'a whole number from 1024'],
  ['SERVICE_MAX_DATA_SIZE', '5', 'a whole number from 1024'],
  ['SERVICE_STATELESS', 'maybe', 'true or false'],
  ['SERVICE_DEFAULT_API_VERSION', '6', '3, 4 or 5'],
  ['SERVICE_TIMEZONE', 'Nowhere/City', 'a time zone'],
  ['SERVICE_LANG', '!!', 'a locale'],
  ['SERVICE_LOG_LEVEL', 'verbose', 'debug, info'],
  ['SERVICE_ORIGIN_URL', 'origin.example.com', 'http://'],
] as const)('%s=%s is reported and ignored', (name, value, wants) => {
  const { warnings, settings, originUrls, logLevel } = readConfig({ [name]: value }, '1.0.0')
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain(`${name} is not a usable value: it takes`)
  expect(warnings[0]).toContain(wants)
  const { maxDataBytes, stateless, defaultApiVersion, timezone, lang } = settings
  expect([maxDataBytes, stateless, defaultApiVersion, timezone, lang, originUrls, logLevel]).toEqual([
    62_914_560,
    false,
    5,
    'UTC',
    'en',
    [],
    'info',
  ])
})

it('an unusable value opens nothing that it should close', () => {
  const { settings, egress, warnings } = readConfig(
    { SERVICE_ALLOW_ORIGIN: 'https://a.com/ https://b.com', SERVICE_EGRESS_ALLOW_LIST: 'https://a.com' },
    '1.0.0',
  )
  expect(warnings).toHaveLength(2)
  expect([settings.allowOrigin, egress.allowedHosts]).toEqual(['null', ['https://a.com']])
})

it.each([
  { SERVICE_ORIGIN_SECRET: 'x'.repeat(31) },
  { SERVICE_ORIGIN_URL: 'https://origin.example.com' },
  { SERVICE_ORIGIN_URL: 'https://origin.example.com', SERVICE_ORIGIN_SECRET: 'short' },
])('does not start with %j, whose requests anybody could sign', (environment) => {
  expect(() => readConfig(environment, '1.0.0')).toThrow(expect.objectContaining({ code: 'origin.secret' }))
  const secret = { SERVICE_ORIGIN_SECRET: 'x'.repeat(32) }
  expect(readConfig({ ...environment, ...secret }, '1.0.0').originSecret).toHaveLength(32)
})

it('warns of settings that it does not know, with the nearest name', () => {
  const { warnings } = readConfig({ SERVICE_AUTHENTICATON: 'off', SERVICE_LANG: 'de' }, '1.0.0')
  expect(warnings).toEqual([
    'SERVICE_AUTHENTICATON is not known at the edge; did you mean SERVICE_AUTHENTICATION.',
  ])
})
