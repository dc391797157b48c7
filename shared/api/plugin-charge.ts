/** What requests to routes of plugins cost on a hosted service: as much as a render with as many bytes. */
import { AppError } from '../errors/app-error.ts'
import type { OpenCharge } from '../records/accounts.ts'
import { charge, creditHeaders, creditsFor, refund, requireCredits, settle } from '../services/accounts.ts'
import type { Services } from '../services/services.ts'
import type { Input } from './route.ts'

export interface PluginCharge {
  /** The size of the request, which determines its price. */
  setBytes(bytes: number): void
  /** Runs a part of the work. The first one takes the credits of all. Throws 'api.credits'. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** Whether a part of the work failed. */
  readonly hasFailed: boolean
  /** Keeps the credits of a request that was answered, or gives back those of one that failed. */
  end(isAnswered: boolean): Promise<void>
  /** Of the response. */
  headers(): Promise<Readonly<Record<string, string>>>
  /** For work after the answer, which is charged when it begins. */
  later(): PluginCharge
}

/**
 * Checks that an account may use routes of plugins, before anything of the request is read. Their documents have no watermark,
 * so test tokens are refused. Throws 'api.test-token' and 'api.credits'.
 */
export async function checkPluginCaller(services: Services, { account, caller }: Input): Promise<void> {
  if (services.settings.hosted !== true || caller === undefined) return
  if (caller.kind === 'test') throw new AppError('api.test-token')
  await requireCredits(services, account)
}

export function createPluginCharge(services: Services, input: Input, bytes = 0): PluginCharge {
  const { account, caller } = input
  const isCounted = services.settings.hosted === true && caller !== undefined
  let requestBytes = bytes
  let charging: Promise<OpenCharge> | undefined
  let hasFailed = false
  return {
    get hasFailed() {
      return hasFailed
    },
    setBytes: (size) => {
      requestBytes = size
    },
    async during(work) {
      try {
        if (isCounted) await (charging ??= charge(services, account, creditsFor([requestBytes])))
        return await work()
      } catch (error) {
        hasFailed = true
        throw error
      }
    },
    async end(isAnswered) {
      // An account without enough credits has paid nothing.
      const charged = await charging?.catch(() => undefined)
      await (isAnswered ? settle(services, charged) : refund(services, charged))
    },
    headers: async () => (isCounted ? creditHeaders(services, account) : {}),
    later: () => createPluginCharge(services, input, requestBytes),
  }
}
