import { afterAll, beforeAll, it } from 'vitest'
import { createServices, type OriginServices } from '../../origin/services.ts'
import { expectOneOfParallelCalls, idempotencyContract } from '../contract/idempotency.ts'
import { type Gate, startGate } from '../helpers/gate.ts'
import { testConfig } from '../helpers/origin-config.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const closing: (() => Promise<void>)[] = []
let postgres: PostgresServer
let line: Gate // to the same server
beforeAll(async () => {
  postgres = await startPostgres()
  line = await startGate(Number(new URL(postgres.url).port))
})
afterAll(async () => {
  line.slow(0)
  for (const close of closing) await close()
  await line.close()
  await postgres.stop()
})

/** One set of services serves all cases of a contract. */
function once(open: () => Promise<OriginServices>) {
  let opened: Promise<OriginServices> | undefined
  return () => {
    opened ??= open()
    return opened
  }
}

async function origin(databaseUrl: string): Promise<OriginServices> {
  const { config, remove } = await testConfig({ mergeWorkers: 1, databaseUrl })
  const services = await createServices(config)
  closing.push(async () => {
    services.beginStop()
    await services.stop()
    await remove()
  })
  return services
}

idempotencyContract(
  'SQLite and files',
  once(() => origin('')),
)
idempotencyContract(
  'PostgreSQL and files',
  once(async () => origin(await postgres.database())),
)

/** Where each of them asks for the key, the last ones wait longer for a connection than one is waited for. */
it('100 parallel calls with one key, far away from PostgreSQL, all get the document that one of them makes', () =>
  expectOneOfParallelCalls(async () => {
    const url = new URL(await postgres.database())
    url.port = String(line.port)
    const services = await origin(url.href)
    line.slow(150)
    return services
  }))
