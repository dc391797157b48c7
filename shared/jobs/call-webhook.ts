import { entryOf } from '../entry-of.ts'
import type { JobRow, WebhookCall } from '../records/jobs.ts'
import { type Services, seconds } from '../services/services.ts'
import { traceOf } from '../trace.ts'
import { deliver } from '../webhook/deliver.ts'
import { accountSecrets, signNotice } from '../webhook/sign.ts'
import type { WebhookTarget } from '../webhook/target.ts'

/** A job whose render has ended, with the notice for its webhook. */
export type EndedJob = Pick<JobRow, 'account' | 'id'> & { readonly notice: string }

/**
 * Calls the webhook of a job with its notice, signed now, under an id that all calls for the job share. `retries` is as
 * for `deliver`. A receiver that refuses the call is an outcome, not an error. Throws when `signal` aborts.
 */
export async function callWebhook(
  services: Services,
  { account, id: job, notice }: EndedJob,
  target: WebhookTarget,
  { signal, retries }: { readonly signal: AbortSignal; readonly retries?: number | undefined },
): Promise<WebhookCall> {
  const id = `msg_${job}`
  const time = seconds(services)
  const secrets = await secretsFor(services, account)
  const signature = await signNotice(secrets, { id, time, body: notice })
  const headers = { ...target.headers, 'webhook-id': id, ...signature }
  const call = () =>
    deliver(services.outbound, { ...target, headers }, notice, {
      signal,
      ...(retries === undefined ? {} : { retries }),
    })
  const span = {
    kind: 'client',
    name: 'webhook',
    trace: traceOf((name) => entryOf(target.headers, name)),
    describe: ({ delivered }: Awaited<ReturnType<typeof deliver>>) => ({ delivered }),
  } as const
  const { delivered, because } = await (services.tracing?.begin(span, call) ?? call())
  services.counted?.({ name: 'webhooks_total', outcome: delivered ? 'delivered' : 'undelivered' })
  if (!delivered) services.log.warn('webhook.undelivered', { job, because })
  return { delivered, status: because, calledAt: seconds(services) }
}

/**
 * The secrets that sign the notices of an account. Accounts of a hosted service have secrets of their own; elsewhere the
 * receivers may also check with the secret of the operator, to whom all accounts belong.
 */
async function secretsFor({ settings }: Services, account: string): Promise<readonly Uint8Array[]> {
  const { webhookSecrets = [], hosted } = settings
  const accountKeys = await accountSecrets(webhookSecrets, account)
  return hosted === true ? accountKeys : [...webhookSecrets, ...accountKeys]
}
