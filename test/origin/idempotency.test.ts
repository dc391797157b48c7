import { afterAll, beforeAll } from 'vitest'
import { createServices, type OriginServices } from '../../origin/services.ts'
import { idempotencyContract } from '../contract/idempotency.ts'
import { testConfig } from '../helpers/origin-config.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const closing: (() => Promise<void>)[] = []
let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => {
  for (const close of closing) await close()
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
