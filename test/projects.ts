import type { TestProjectInlineConfiguration } from 'vitest/config'

const root = new URL('..', import.meta.url).pathname

/** Tests of pure functions: nothing that runs in them outlives a test, so that files share a process and its modules. */
const shared = ['shared', 'helpers', 'contract', 'client', 'fidelity', 'plugins/formats']
  .concat(['instant', 'web', 'tables', 'tex', 'idml', 'raster'].map((engine) => `plugins/engines/${engine}`))
  .map((folder) => `test/${folder}/**/*.test.ts`)

/** Of the origin: they measure or change their process, its memory or output; or they take long, and so begin first. */
const alone = ['batch', 'idle-memory', 'returned-memory', 'http-raw', 'merge-pool', 'thread-pool']
  .concat(['attacks', 'authentication', 'bad-conversions', 'durability', 'hosted', 'hostile-bodies'])
  .concat(['hostile-conversions', 'http', 'killed-engines', 'listed-options', 'matrix', 'pdf-turns'])
  .concat(['picture-options', 'signing-keys'])

/**
 * Tests of services and engines that leave nothing behind in their process: files share it, too. To start a process and to
 * import the service takes a second, as long as many of these files.
 */
const services = [
  `test/origin/!(${alone.join('|')}).test.ts`,
  'test/origin/{auth,cli,deploy,fonts,hooks,net,setup,storage}/**/*.test.ts',
  'test/plugins/engines/poppler/!(pages).test.ts',
]

const runFolder = 'test/helpers/run-folder.ts'
const fontIndex = 'test/helpers/font-index.ts'

/**
 * Three for each core of a small machine: these tests wait for programs that they start, kill or stop, and for offices and
 * browsers to begin. They run beside those that compute (`run/side-by-side.ts`), or first where few files are run.
 */
const waiting = { maxWorkers: 6, sequence: { groupOrder: 0 } }

/** One for each of those cores: these tests compute, and each process imports the modules before its first file, for some 8 s. */
export const computing = { maxWorkers: 2, sequence: { groupOrder: 1 } }

/**
 * Node imports the modules itself, as the origin does: types are erased, and what was compiled is cached between processes.
 * Vite would transform each module, and each process would evaluate it as text that is new to it.
 */
const byNode = { experimental: { viteModuleRunner: false } } as const

const common = {
  environment: 'node',
  pool: 'forks',
  // Guards against hangs, not bounds: machines that run tests do other work, too.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 120_000 } },
  // A race between processes, or a measurement beside other work, must not stop a submission. The closing line names what
  // passed only the second time.
  retry: 1,
} as const

/** The projects whose tests wait. */
export const waitingProjects = ['node', 'edge-http'] as const

/** Tests that start the Worker in workerd, from one bundle. Each has a workerd of its own, and they share processes. */
const edge = ['test/edge-http/**/*.test.ts']

/** The tests that run on Node: those that share processes, and those that have one for each file. */
export const nodeProjects: TestProjectInlineConfiguration[] = [
  {
    root,
    test: {
      ...common,
      ...computing,
      ...byNode,
      name: 'unit',
      globalSetup: runFolder,
      include: shared,
      isolate: false,
    },
  },
  {
    root,
    test: {
      ...common,
      ...computing,
      ...byNode,
      name: 'services',
      globalSetup: [runFolder, fontIndex],
      include: services,
      isolate: false,
    },
  },
  {
    root,
    test: {
      ...common,
      ...waiting,
      ...byNode,
      name: 'node',
      globalSetup: [runFolder, fontIndex],
      include: ['test/**/*.test.ts'],
      exclude: ['test/edge/**', 'test/bench/**', '**/node_modules/**', ...shared, ...edge, ...services],
    },
  },
  {
    root,
    test: {
      ...common,
      ...waiting,
      ...byNode,
      name: 'edge-http',
      include: edge,
      isolate: false,
      globalSetup: [runFolder, fontIndex, 'test/helpers/edge-bundle.ts'],
    },
  },
]
