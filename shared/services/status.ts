import type { Services } from './services.ts'

export interface Status {
  readonly success: boolean
  readonly code: number
  readonly message: string
  readonly version: string
}

/**
 * Reports whether this process accepts work. It does not while it is stopping or its database does not
 * answer. With `ready` it also does not while its engines are starting.
 */
export async function status(services: Services, ready = false): Promise<Status> {
  const { version } = services.settings
  if (services.lifecycle.stopping) return { success: false, code: 503, message: 'Stopping', version }
  try {
    await services.sql.query({ text: 'SELECT 1 AS one', values: [] })
  } catch (error) {
    services.log.error('status.database', { error })
    return { success: false, code: 503, message: 'Database not available', version }
  }
  if (ready && services.lifecycle.warming)
    return { success: false, code: 503, message: 'Engines are starting', version }
  return { success: true, code: 200, message: 'OK', version }
}

/**
 * The state of the engines and the queue, and the figures of the host. They reveal internals and are not
 * meant for the public.
 */
export async function details(services: Services): Promise<Readonly<Record<string, unknown>>> {
  return {
    engines: await services.converter.health(),
    formats: services.registry.formats().map((format) => format.id),
    templateCacheBytes: services.templates.bytes(),
    queued: (await services.queue?.size?.()) ?? 0,
    ...(await services.details?.()),
  }
}
