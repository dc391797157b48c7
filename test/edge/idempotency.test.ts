import { env } from 'cloudflare:workers'
import { createServices } from '../../edge/services.ts'
import { idempotencyContract } from '../contract/idempotency.ts'

const quiet = { ...env, SERVICE_LOG_LEVEL: 'silent' } as typeof env

idempotencyContract('D1 and R2', () => createServices(quiet))
