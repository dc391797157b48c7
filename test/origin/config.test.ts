import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  ArgumentError,
  automaticFactories,
  environmentName,
  options,
  readConfig,
} from '../../origin/config.ts'
import { useTemporary } from '../helpers/temporary.ts'

describe('readConfig', () => {
  const temporary = useTemporary()

  it('prefers the command line to the environment, and the environment to the file', async () => {
    const workdir = temporary('work')
    await mkdir(join(workdir, 'config'), { recursive: true })
    const file = { port: 1001, bind: '0.0.0.0', lang: 'fr', maxDataSize: '2MB', currencyRates: { EUR: 1 } }
    await writeFile(join(workdir, 'config', 'config.json'), JSON.stringify(file))
    const environment = { SERVICE_PORT: '1002', SERVICE_LANG: 'de', SERVICE_WORKDIR: workdir }
    const { config, warnings } = readConfig(['--port', '1003', '-f=4', '--stateless'], environment)
    expect(warnings).toEqual([])
    expect(config).toMatchObject({
      port: 1003,
      lang: 'de',
      bind: '0.0.0.0',
      maxDataSize: 2_097_152,
      factories: 4,
      stateless: true,
      currencyRates: { EUR: 1 },
      timezone: 'UTC',
      workdir,
      dataDir: join(workdir, '.data'),
    })
  })

  it('ignores values that cannot be used, with a warning', () => {
    const { config, warnings } = readConfig([], {
      SERVICE_FACTORIES: '0',
      SERVICE_FACTORYS: '2',
      SERVICE_PORT: 'tcp://10.0.0.1:4000',
      SERVICE_STATELESS: 'perhaps',
      SERVICE_MAX_TEMPLATE_SIZE: '-5',
      SERVICE_TIMEZONE: '',
    })
    expect(config).toMatchObject({ port: 4000, stateless: false, maxTemplateSize: 20_971_520 })
    expect(config.factories).toBe(automaticFactories())
    expect(warnings).toHaveLength(5)
    expect(warnings).toContain('SERVICE_FACTORYS is not known; did you mean SERVICE_FACTORIES.')
    expect(warnings.join()).toContain('SERVICE_PORT is not a usable value')
  })

  it.each([
    [['--port', '70000'], 'a whole number from 0 to 65535'],
    [['--maxDataSize', '60XB'], 'a size such as 20MB'],
    [['--studio', 'maybe'], 'true or false'],
    [['--timezone', 'Nowhere/City'], 'a time zone such as Europe/Paris'],
    [['--lang', '!!'], 'a locale such as fr-fr'],
    [['--logLevel', 'verbose'], 'debug, info, warn, error, silent'],
    [['--headerAliases', 'X Y'], 'prefixes of letters'],
    [['--currencyRates', '{"EUR":"1"}'], 'an object of currency code to number'],
    [['--translations', '{"fr":{"a":5}}'], 'an object of locale to an object of texts'],
  ])(
    '%j: the error, or the warning for a variable, says what is wrong and what is valid',
    (args, reported) => {
      expect(() => readConfig(args, {})).toThrow(reported)
      expect(() => readConfig(args, {})).toThrow(ArgumentError)
      const [option = '', value] = args
      const { config, warnings } = readConfig([], { [environmentName(option.replace('--', ''))]: value })
      expect(warnings.join('\n')).toContain(reported)
      const { port, studio, timezone, logLevel, headerAliases, currencyRates } = config
      expect({ port, studio, timezone, logLevel, headerAliases, currencyRates }).toEqual({
        port: 4000,
        studio: false,
        timezone: 'UTC',
        logLevel: 'info',
        headerAliases: [],
        currencyRates: {},
      })
    },
  )

  it.each([
    [['--port', '--lang', 'fr'], 'Option --port needs a value.'],
    [['-w'], 'Option -w needs a value.'],
    [['4123'], '"4123" does not belong to any option.'],
    [['--constructor', '1'], 'Option --constructor is not known.'],
    [['--autentication'], 'Option --autentication is not known; did you mean --authentication.'],
    [['--max-dta-size', '2MB'], 'did you mean --maxDataSize.'],
    [['-z'], 'Option -z is not known.'],
  ])('does not start with %j, and suggests a similar option', (args, reported) => {
    expect(() => readConfig(args, {})).toThrow(reported)
  })

  it('requires isolation when hosted, and does not start with an unknown value', () => {
    const isolation = (environment: Record<string, string>) => readConfig([], environment).config.isolation
    expect([isolation({}), isolation({ SERVICE_HOSTED: 'true' })]).toEqual(['best', 'required'])
    expect(isolation({ SERVICE_HOSTED: 'true', SERVICE_ISOLATION: 'best' })).toBe('best')
    expect(() => isolation({ SERVICE_ISOLATION: 'requird' })).toThrow('it takes required or best')
  })

  it.each([
    { SERVICE_ORIGIN_SECRET: 'x'.repeat(31) },
    { SERVICE_ALLOW_ORIGIN: 'https://example.com/' },
    { SERVICE_ALLOW_ORIGIN: 'https://a.com, https://b.com' },
    { SERVICE_EGRESS_ALLOW_LIST: 'https://example.com' },
    { SERVICE_EGRESS_ALLOW_LIST: 'example.com:8080' },
  ])('does not start where ignoring %j would open what it should close', (environment) => {
    expect(() => readConfig([], environment)).toThrow(
      /is not a usable value: it takes|^SERVICE_ORIGIN_SECRET has fewer than 32 bytes/,
    )
  })

  it('takes origins, hosts, zones and locales as people write them', () => {
    const environment = {
      SERVICE_ALLOW_ORIGIN: 'https://app.example.com:8443',
      SERVICE_EGRESS_ALLOW_LIST: 'example.com, *.example.org,10.0.0.1,2001:db8::1',
      SERVICE_TIMEZONE: 'europe/paris',
      SERVICE_LANG: 'pt_BR',
      SERVICE_JWT_AUDIENCE: '  ',
    }
    expect(readConfig([], environment)).toMatchObject({
      warnings: [],
      config: {
        allowOrigin: 'https://app.example.com:8443',
        egressAllowList: ['example.com', '*.example.org', '10.0.0.1', '2001:db8::1'],
        timezone: 'europe/paris',
        lang: 'pt_BR',
        jwtAudience: 'service',
      },
    })
  })

  it('does not start with a switch for authentication that is neither on nor off', () => {
    expect(() => readConfig([], { SERVICE_AUTHENTICATION: 'perhaps' })).toThrow('SERVICE_AUTHENTICATION')
    expect(readConfig([], { SERVICE_AUTHENTICATION: '' }).config.authentication).toBe(false)
    expect(readConfig(['-A'], { SERVICE_AUTHENTICATION: 'off' }).config.authentication).toBe(true)
  })

  it('reads sizes, lists and switches', () => {
    const { config } = readConfig(['--max-data-size=1.5 MB'], {
      SERVICE_HEADER_ALIASES: ' acme, ,other ',
      SERVICE_EGRESS_ALLOW_PRIVATE: 'yes',
    })
    expect(config).toMatchObject({
      maxDataSize: 1_572_864,
      headerAliases: ['acme', 'other'],
      egressAllowPrivate: true,
    })
  })

  it('takes whole days alone for templatePathRetention', () => {
    const read = (days: string) => readConfig([], { SERVICE_TEMPLATE_PATH_RETENTION: days })
    const days = (given: string) => read(given).config.templatePathRetention
    expect([days('30'), days('0'), days('1.5'), days('-1')]).toEqual([30, 0, 0, 0])
    expect(readConfig(['-r', '7'], {}).config.templatePathRetention).toBe(7)
    expect(read('1.5').warnings).toHaveLength(1)
  })

  it.each([
    [1, 64, 2],
    [4, 64, 4],
    [96, 64, 8],
    [8, 4, 4],
    [8, 1, 1],
  ])('starts as many offices on %d cores with %d GB as fit: %d', (cores, gigabytes, offices) => {
    expect(automaticFactories(cores, gigabytes * 2 ** 30)).toBe(offices)
  })

  it('refuses a weak secret of the edge with an error of the catalogue', () => {
    expect(() => readConfig(['--originSecret', 'short'], {})).toThrow(
      expect.objectContaining({ code: 'origin.secret' }),
    )
  })

  it('takes the short names', () => {
    const args = '-a 3 -cs EUR -ct=USD -mds 2MB -f 2 -l fr -t Europe/Paris -A -b 0.0.0.0 -p 4001'.split(' ')
    expect(readConfig(args, {})).toMatchObject({
      warnings: [],
      config: {
        attempts: 3,
        currencySource: 'EUR',
        currencyTarget: 'USD',
        maxDataSize: 2_097_152,
        factories: 2,
        lang: 'fr',
        timezone: 'Europe/Paris',
        authentication: true,
        bind: '0.0.0.0',
        port: 4001,
        stateless: false,
      },
    })
  })

  it('ignores variables that an orchestrator injects', () => {
    const numbers = Object.entries(options).filter(([, { kind }]) => kind === 'integer' || kind === 'bytes')
    const injected = numbers.map(([name]) => [environmentName(name), 'tcp://10.0.0.1:4000'])
    const { config, warnings } = readConfig([], Object.fromEntries(injected))
    expect(warnings).toHaveLength(numbers.length)
    for (const [name, option] of numbers)
      expect([name, config[name as 'port']]).toEqual([name, option.default])
  })

  it('names every option in the environment', () => {
    expect(environmentName('maxDataSize')).toBe('SERVICE_MAX_DATA_SIZE')
    const names = Object.keys(options).map(environmentName)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each([
    ['{', 'is not JSON'],
    ['[]', 'is not a JSON object of options'],
    ['5', 'is not a JSON object of options'],
  ])('refuses the file %j', async (text, reported) => {
    expect(() => readConfig(['-w', withFile(text)], {})).toThrow(reported)
  })

  it('names unknown options of the file, and accepts a byte order mark and null', () => {
    const workdir = withFile('\uFEFF{"Port":1,"lang":null,"bind":"0.0.0.0","toString":1}')
    const { config, warnings } = readConfig(['-w', workdir], {})
    expect(config).toMatchObject({ port: 4000, lang: 'en', bind: '0.0.0.0' })
    expect(warnings).toEqual([
      'config.json: Port is not known; did you mean port.',
      'config.json: toString is not known.',
    ])
  })

  let files = 0
  function withFile(text: string): string {
    const workdir = temporary(`file-${++files}`)
    mkdirSync(join(workdir, 'config'), { recursive: true })
    writeFileSync(join(workdir, 'config', 'config.json'), text)
    return workdir
  }
})
