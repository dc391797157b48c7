import type { Env as EdgeEnv } from '../../edge/env.ts'

/** `env` of 'cloudflare:workers' is what the Worker under test is given. */
declare global {
  namespace Cloudflare {
    interface Env extends EdgeEnv {}
  }
}
