/** Dependency rules, checked by `npm run check`. Each rule says what would be lost without it. */
const nodeModules = '^(node:|child_process$|fs$|path$|net$|http$|worker_threads$|zlib$|crypto$)'

export default {
  forbidden: [
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
      comment: 'What runs in browsers is built apart: it takes nothing along that is not meant for them.',
      from: { path: '^shared/studio/' },
      to: { pathNot: '^shared/studio/' },
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
