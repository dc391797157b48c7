import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'
import { startS3 } from './s3.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { spawnTied } from './tied-process.ts'

const server = new URL('../../origin/server.ts', import.meta.url).pathname

export interface Cluster {
  readonly nodes: readonly Node[]
  stop(): Promise<void>
}
export interface Node {
  readonly url: string
  /** Ends the process at once, as a power cut would. */
  kill(): Promise<void>
}

/** Origins as processes of their own, each with a folder of its own, on one PostgreSQL, one bucket and one Redis. */
export async function startCluster(
  size: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  const [postgres, redis, s3] = await Promise.all([startPostgres(), startRedis(), startS3()])
  const folder = temporaryFolder('platen-cluster')
  const shared = {
    SERVICE_DATABASE_URL: await postgres.database(),
    SERVICE_BLOBS_URL: await s3.bucket(),
    SERVICE_REDIS_URL: redis.url,
  }
  const nodes = await Promise.all(
    Array.from({ length: size }, (_, n) =>
      startNode({ ...shared, ...environment, SERVICE_WORKDIR: join(folder, String(n)) }),
    ),
  )
  return {
    nodes,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.kill()))
      await Promise.all([postgres.stop(), redis.stop(), s3.stop()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** One origin as a process of its own; `program` is its server where that is not the one of this repository. */
export async function startNode(
  environment: Readonly<Record<string, string>>,
  program = server,
): Promise<Node> {
  const port = await freePort()
  const child = spawnTied(process.execPath, [program], {
    env: {
      ...process.env,
      SERVICE_PORT: String(port),
      SERVICE_PREWARM: 'false',
      SERVICE_LOG_LEVEL: 'silent',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const gone = once(child, 'exit')
  let said = ''
  const listens = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk) => {
        said += chunk
        if (said.includes('platen listens on')) resolve()
      })
    }
    gone.then(() => reject(new Error(`The node ended: ${said}`)))
  })
  await listens
  return {
    url: `http://127.0.0.1:${port}`,
    kill: async () => {
      child.kill('SIGKILL')
      await gone
    },
  }
}
