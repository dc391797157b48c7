import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { environmentName, options, readConfig } from '../../origin/config.ts'
import { useTemporary } from '../helpers/temporary.ts'

describe('readConfig', () => {
  const temporary = useTemporary()

  it('puts the command line before the environment before the file', async () => {
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

  it('passes over values that make no sense, with a warning', () => {
    const { config, warnings } = readConfig(['--factories', '0', '--nothing', '-z'], {
      SERVICE_PORT: 'tcp://10.0.0.1:4000',
      SERVICE_STATELESS: 'perhaps',
      SERVICE_MAX_TEMPLATE_SIZE: '-5',
      SERVICE_TIMEZONE: '',
    })
    expect(config).toMatchObject({ port: 4000, stateless: false, maxTemplateSize: 20_971_520, factories: 1 })
    expect(warnings).toHaveLength(6)
    expect(warnings.join()).toContain('SERVICE_PORT is not a usable value')
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
    const days = (given: string) => readConfig(['-r', given], {}).config.templatePathRetention
    expect([days('30'), days('0'), days('1.5'), days('-1')]).toEqual([30, 0, 0, 0])
    const { config } = readConfig([], { SERVICE_TEMPLATE_PATH_RETENTION: '7' })
    expect(config.templatePathRetention).toBe(7)
    expect(readConfig(['-r', '1.5'], {}).warnings).toHaveLength(1)
  })

  it('takes the short names, and gives up the database with templateManagement', () => {
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
    expect(readConfig([], { SERVICE_TEMPLATE_MANAGEMENT: 'false' }).config.stateless).toBe(true)
  })

  it('passes over what an orchestrator injects, wherever a number is meant', () => {
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

  it('refuses a file that is not JSON', async () => {
    const workdir = temporary('broken')
    await mkdir(join(workdir, 'config'), { recursive: true })
    await writeFile(join(workdir, 'config', 'config.json'), '{')
    expect(() => readConfig(['-w', workdir], {})).toThrow('is not JSON')
  })
})
