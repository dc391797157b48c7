import { describe, expect, test } from 'vitest'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import type { FormatPlugin, OpenContext } from '../../../shared/plugin/contract.ts'
import { guardFormat } from '../../../shared/plugin/guard-format.ts'
import { PluginError } from '../../../shared/plugin/plugin-error.ts'

const context = {} as OpenContext
const bytes = new Uint8Array(1)

/** A format all of whose functions throw `error`. */
function failing(error: Error): FormatPlugin {
  const fail = () => {
    throw error
  }
  return {
    kind: 'format',
    id: 'odd',
    family: 'text',
    extensions: ['odd'],
    mime: ['text/x-odd'],
    sniff: async () => fail(),
    template: { open: async () => fail() },
    reader: { read: fail },
    plainCopy: fail,
    printOptions: fail,
    variantOf: { base: 'txt', rewrite: fail },
  }
}

/** Calls each function that may throw, by name. */
const calls: Readonly<Record<string, (format: FormatPlugin) => unknown>> = {
  template: (format) => format.template?.open(bytes, context),
  reader: (format) => format.reader?.read(bytes, context),
  plainCopy: (format) => format.plainCopy?.(bytes, context),
  printOptions: (format) => format.printOptions?.(bytes),
  rewrite: (format) => format.variantOf?.rewrite(bytes, context),
}

describe('a format from outside', () => {
  for (const [name, call] of Object.entries(calls)) {
    test(`${name}: what it throws unforeseen has a code and names the format`, async () => {
      const format = guardFormat(failing(new TypeError('secret details')), { error() {} })
      const work = (async () => call(format))()
      await expect(work).rejects.toMatchObject({
        code: 'format.failed',
        message: 'The plugin for odd files failed.',
        cause: { message: 'secret details' },
      })
    })
    test(`${name}: what it reports to the caller stays as it is`, async () => {
      const error = new PluginError('plugin.document', 'Line 3 is empty.')
      const work = (async () => call(guardFormat(failing(error), { error() {} })))()
      await expect(work).rejects.toBe(error)
    })
  }

  test('whose sniffer throws matches nothing, and the log has the error', async () => {
    const logged: unknown[] = []
    const format = guardFormat(failing(new TypeError('secret details')), {
      error: (event, details) => logged.push([event, details?.['format'], String(details?.['error'])]),
    })
    expect(await format.sniff?.(fromBytes(bytes))).toBe('no')
    expect(logged).toEqual([['format.failed', 'odd', 'TypeError: secret details']])
  })

  test('without these functions gets none', () => {
    const { kind, id, family, extensions, mime } = failing(new Error())
    const plain = { kind, id, family, extensions, mime }
    expect(guardFormat(plain, { error() {} })).toEqual(plain)
  })
})

describe('PluginError', () => {
  test('shows its message as one line of limited length', () => {
    const error = new PluginError('plugin.request', `first\n\tsecond ${'x'.repeat(400)}`)
    expect(error).toMatchObject({ code: 'plugin.request', status: 400, blame: 'caller' })
    expect(error.message).toMatch(/^first second x+$/)
    expect(error.message).toHaveLength(300)
  })
})
