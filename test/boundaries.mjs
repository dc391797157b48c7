/** Dependency rules, checked by `npm run check`. Each rule says what would be lost without it. */

/**
 * The folders of `shared/`, lowest layer first. A file imports from its own folder and from lower layers only, types
 * included; '.' means the files of `shared/` itself, but for `entry-of.ts`, which imports nothing and lies below all layers, because
 * every layer looks up words of documents. The studio stands apart, by a rule of its own, and the plugin contract
 * beside the layers: it names the types of what plugins make and use, wherever they are.
 */
const layers = [
  ['errors', 'document', 'schemas'],
  ['locale', 'plugin'],
  ['.'],
  ['json', 'xml'],
  ['invoice', 'provenance'],
  ['pdf'],
  ['images', 'ports'],
  ['flow', 'net', 'records', 'remote', 'signing', 'template', 'webhook'],
  ['auth', 'css', 'office', 'plugin-kit'],
  ['convert'],
  ['services'],
  ['render'],
  ['jobs'],
  ['api'],
]
const pathOf = (folder) => (folder === '.' ? '^shared/(?!entry-of\\.ts)[^/]+\\.ts$' : `^shared/${folder}/`)
const layerRules = layers.slice(0, -1).flatMap((layer, index) =>
  layer.map((folder) => ({
    name: `layer-of-${folder === '.' ? 'shared' : folder}`,
    severity: 'error',
    comment: 'Layers of shared/ import downwards only, so that each can be read without those above it.',
    from: { path: pathOf(folder), pathNot: '^shared/plugin/contract\\.ts$' },
    to: {
      path: layers
        .slice(index)
        .flat()
        .filter((other) => other !== folder)
        .map(pathOf),
    },
  })),
)
/** A new folder below `shared/` must take its place in the list above. */
const everyFolder = {
  name: 'folders-of-shared-have-a-layer',
  severity: 'error',
  comment: 'A folder that is in no layer could import anything.',
  from: { path: '^(shared|plugins|edge|origin)/' },
  to: { path: '^shared/[^/]+/', pathNot: ['^shared/studio/', ...layers.flat().map(pathOf)] },
}
/** The types of requests and answers, generated from the routes. */
const typesOfAnswers = '^client/src/api\\.ts$'
const nodeModules = '^(node:|child_process$|fs$|path$|net$|http$|worker_threads$|zlib$|crypto$)'

export default {
  forbidden: [
    ...layerRules,
    everyFolder,
    {
      name: 'look-ups-stand-alone',
      severity: 'error',
      comment: 'A file below all layers can import none of them.',
      from: { path: '^shared/entry-of\\.ts$' },
      to: {},
    },
    {
      name: 'shared-stands-alone',
      severity: 'error',
      comment: 'The domain knows neither side nor any plugin.',
      from: { path: '^shared/' },
      to: { path: '^(edge|origin|plugins|test)/' },
    },
    {
      name: 'plugins-see-only-shared',
      severity: 'error',
      comment: 'Plugins meet through the contract.',
      from: { path: '^plugins/(engines|formats)/([^/]+)/' },
      to: { path: '^(edge|origin|test|plugins)/', pathNot: '^plugins/$1/$2/' },
    },
    {
      name: 'sides-do-not-meet',
      severity: 'error',
      comment: 'Edge and origin share the domain and the plugins, never each other.',
      from: { path: '^edge/' },
      to: { path: '^origin/' },
    },
    {
      name: 'sides-do-not-meet-either',
      severity: 'error',
      comment: 'Edge and origin share the domain and the plugins, never each other.',
      from: { path: '^origin/' },
      to: { path: '^edge/' },
    },
    {
      name: 'nothing-sees-test',
      severity: 'error',
      comment: 'What ships does not depend on tests.',
      from: { path: '^(edge|origin|plugins|shared)/' },
      to: { path: '^test/' },
    },
    {
      name: 'edge-stays-web',
      severity: 'error',
      comment: 'Nothing the Worker can reach may need Node.',
      from: { path: '^edge/' },
      to: { path: nodeModules, reachable: true },
    },
    {
      name: 'shared-stays-web',
      severity: 'error',
      comment: 'The domain uses web standards only.',
      from: { path: '^shared/' },
      to: { path: nodeModules },
    },
    {
      name: 'studio-stands-alone',
      severity: 'error',
      comment:
        'What runs in browsers is built apart: it takes nothing along that is not meant for them, except how pages are compared and the types of answers.',
      from: { path: '^shared/studio/' },
      to: { pathNot: ['^shared/(studio/|images/changed-areas\\.ts$)', typesOfAnswers] },
    },
    {
      name: 'studio-takes-only-types-of-the-client',
      severity: 'error',
      comment:
        'The types are generated from the routes, so that the studio need not repeat them; the code of the client is for callers.',
      from: { path: '^shared/studio/' },
      to: { path: typesOfAnswers, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'client-stands-alone',
      severity: 'error',
      comment: 'What is published for callers has no dependencies, and nothing of the service.',
      from: { path: '^client/' },
      to: { pathNot: '^client/' },
    },
    {
      name: 'service-does-not-use-the-client',
      severity: 'error',
      comment:
        'The client is for callers from outside. Of those in the service, only the studio takes its types.',
      from: { path: '^(edge|origin|plugins|shared)/', pathNot: '^shared/studio/' },
      to: { path: '^client/' },
    },
    {
      name: 'studio-is-served-as-built',
      severity: 'error',
      comment: 'The hosts hand out the built files; code for browsers does not run in them.',
      from: { path: '^(edge|origin|plugins|shared)/', pathNot: '^shared/studio/' },
      to: { path: '^shared/studio/', pathNot: '^shared/studio/built\\.json$' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'A cycle between files hides which one is the base.',
      from: { path: '^(edge|origin|plugins|shared)/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'packages-are-declared',
      severity: 'error',
      comment: 'A package that is not in package.json is missing on a fresh machine.',
      from: { path: '^(edge|origin|plugins|shared)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], pathNot: 'workers-types' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(\\.wrangler|\\.data|dist)/' },
    tsPreCompilationDeps: true,
    moduleSystems: ['es6'],
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js', '.json'] },
  },
}
