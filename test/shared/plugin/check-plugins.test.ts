import { describe, expect, test } from 'vitest'
import { plugins as edgePlugins } from '../../../edge/plugins.ts'
import { plugins as originPlugins } from '../../../origin/plugins.ts'
import {
  type AnyPlugin,
  duplicateDefects,
  outputDefects,
  pluginDefect,
} from '../../../shared/plugin/check-plugins.ts'

const schema = { json: {}, parse: (value: unknown) => ({ ok: true, value }) }
const engine = {
  kind: 'engine',
  contract: 1,
  id: 'press',
  title: 'The press',
  letter: 'P',
  sides: ['origin'],
  conversions: [{ from: 'txt', to: 'press', fidelity: 'exact', cost: 1 }],
  settings: schema,
  options: schema,
  create() {},
}
const format = { kind: 'format', id: 'press', family: 'text', extensions: ['press'], mime: ['text/x-press'] }
const storage = { kind: 'storage', contract: 1, id: 'shelf-b', readTemplate() {} }
const middleware = { kind: 'middleware', contract: 1, id: 'tenants', before: [() => {}] }
const route = { method: 'POST', path: '/forms/merge', scope: 'account', run() {} }
const routes = { kind: 'routes', contract: 1, id: 'forms', routes: [route] }
const keys = { kind: 'keys', contract: 1, id: 'issuers', getPublicKey() {} }

describe('a plugin that fits the contract', () => {
  for (const plugin of [engine, format, storage, middleware, keys, routes])
    test(plugin.kind, () => expect(pluginDefect(plugin)).toBeUndefined())

  for (const [host, plugins] of Object.entries({ origin: originPlugins, edge: edgePlugins }))
    test(`all of the ${host}`, () => {
      const own = plugins.filter(({ kind }) => kind === 'format' || host === 'origin')
      expect(own.flatMap((plugin) => pluginDefect(plugin) ?? [])).toEqual([])
      expect(duplicateDefects(plugins)).toEqual([])
    })

  test('all outputs of the origin have a format', () => {
    expect(outputDefects(originPlugins, () => true)).toEqual([])
  })
})

describe('a plugin that does not fit is described by kind, id and defect', () => {
  const defects: readonly (readonly [plugin: unknown, defect: string])[] = [
    [undefined, 'the default export is not a plugin'],
    [() => engine, 'the default export is not a plugin'],
    [{ ...engine, id: '../x' }, 'a plugin has no valid id: use lower-case letters, digits and dashes'],
    [
      { ...engine, kind: 'motor' },
      'plugin "press" has the kind motor, which is none of format, engine, storage',
    ],
    [{ ...engine, kind: 'constructor' }, 'plugin "press" has the kind constructor, which is none of'],
    [
      { ...engine, contract: undefined },
      'engine "press" is written for contract undefined, and this service has contract 1',
    ],
    [{ ...format, contract: 2 }, 'format "press" is written for contract 2, and this service has contract 1'],
    [{ ...storage, contract: 2 }, 'storage "shelf-b" is written for contract 2'],
    [{ ...routes, routes: [] }, 'routes "forms" lists no routes'],
    [
      { ...routes, routes: [{ ...route, method: 'PUT' }] },
      'routes "forms" has a route whose method is neither GET nor POST',
    ],
    [
      { ...routes, routes: [{ ...route, path: 'forms' }] },
      'routes "forms" has a route without a path such as /a/b',
    ],
    [
      { ...routes, routes: [{ ...route, scope: 'all' }] },
      'routes "forms" has a route /forms/merge whose scope is neither open nor account',
    ],
    [
      { ...routes, routes: [{ ...route, run: undefined }] },
      'routes "forms" has a route /forms/merge without a function run',
    ],
    [{ ...engine, title: ' ' }, 'engine "press" has no title'],
    [{ ...engine, letter: 'press' }, 'engine "press" has a letter other than A to Z'],
    [{ ...engine, conversions: [] }, 'engine "press" lists no conversions'],
    [
      { ...engine, conversions: [...engine.conversions, { from: 'txt', to: 'press', cost: 1 }] },
      'engine "press" has a conversion (number 2) without from, to, fidelity (exact, high or basic) or cost',
    ],
    [{ ...engine, sides: ['edge'] }, 'engine "press" does not run on the origin'],
    [{ ...engine, create: undefined }, 'engine "press" has no function create'],
    [
      { ...engine, options: undefined },
      'engine "press" has no schema of its options: an object with json and parse',
    ],
    [{ ...engine, settings: { json: {} } }, 'engine "press" has no schema of its settings'],
    [{ ...format, extensions: ['.press'] }, 'format "press" lists no extensions without a dot'],
    [{ ...format, mime: [] }, 'format "press" lists no media types'],
    [{ ...format, family: 'paper' }, 'format "press" has no family: one of document, spreadsheet'],
    [{ ...format, template: {} }, 'format "press" has a template without a function open'],
    [{ ...format, reader: {} }, 'format "press" has a reader without a function read'],
    [{ ...format, flow: {} }, 'format "press" has a flow without a function read'],
    [{ ...format, sniff: 'sure' }, 'format "press" has a sniff that is not a function'],
    [{ ...storage, readTemplate: undefined }, 'storage "shelf-b" has none of writeTemplate, readTemplate'],
    [{ ...storage, readRender: 5 }, 'storage "shelf-b" has a readRender that is not a function'],
    [{ ...middleware, before: undefined }, 'middleware "tenants" has neither before nor after'],
    [{ ...middleware, after: [5] }, 'middleware "tenants" has a after that is not a list of functions'],
    [{ ...keys, getPublicKey: 'PEM' }, 'keys "issuers" has no function getPublicKey'],
  ]
  for (const [plugin, defect] of defects) test(defect, () => expect(pluginDefect(plugin)).toContain(defect))
})

describe('plugins that do not fit together', () => {
  const together: readonly (readonly [plugins: readonly unknown[], defects: readonly string[]])[] = [
    [[format, format], ['Two format plugins are called "press".']],
    [[engine, format], []],
    [
      [engine, { ...engine, id: 'other' }],
      ['The engine plugins "press" and "other" have the same letter P.'],
    ],
    [[engine, { ...engine, id: 'other', letter: 'Q' }], []],
    [
      [storage, { ...storage, id: 'bucket' }],
      ['The storage plugins "shelf-b" and "bucket" exclude each other: a service can have only one.'],
    ],
    [[middleware, { ...middleware, id: 'more' }], []],
    [
      [keys, { ...keys, id: 'more' }],
      ['The keys plugins "issuers" and "more" exclude each other: a service can have only one.'],
    ],
  ]
  for (const [plugins, defects] of together)
    test(defects.join() || `${plugins.map((plugin) => idOf(plugin)).join(', ')} do`, () =>
      expect(duplicateDefects(plugins as readonly AnyPlugin[])).toEqual(defects),
    )
})

/** The kind and the id of a plugin, and its letter. */
function idOf(plugin: unknown): string {
  const { kind, id, letter = '' } = plugin as { kind: string; id: string; letter?: string }
  return `${kind} ${id} ${letter}`.trim()
}
