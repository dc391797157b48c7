import { traceOf } from '../plugin/trace.ts'
import type { JobRow, WebhookCall } from '../records/jobs.ts'
import { type Services, seconds } from '../services/services.ts'
import { deliver } from '../webhook/deliver.ts'
import { signNotice } from '../webhook/sign.ts'
import type { WebhookTarget } from '../webhook/target.ts'

/** A job whose render has ended, with the notice for its webhook. */
export type EndedJob = Pick<JobRow, 'id'> & { readonly notice: string }

/**
 * Calls the webhook of a job with its notice, signed now, under an id that all calls for the job share. `retries` is as
 * for `deliver`. A receiver that refuses the call is an outcome, not an error. Throws when `signal` aborts.
 */
export async function callWebhook(
  services: Services,
  { id: job, notice }: EndedJob,
  target: WebhookTarget,
  { signal, retries }: { readonly signal: AbortSignal; readonly retries?: number | undefined },
): Promise<WebhookCall> {
  const id = `msg_${job}`
  const time = seconds(services)
  const signature = await signNotice(services.settings.webhookSecrets ?? [], { id, time, body: notice })
  const headers = { ...target.headers, 'webhook-id': id, ...signature }
  const call = () =>
    deliver(services.outbound, { ...target, headers }, notice, {
      signal,
      ...(retries === undefined ? {} : { retries }),
    })
  const span = {
    kind: 'client',
    name: 'webhook',
    trace: traceOf((name) => target.headers[name]),
    describe: ({ delivered }: Awaited<ReturnType<typeof deliver>>) => ({ delivered }),
  } as const
  const { delivered, because } = await (services.tracing?.begin(span, call) ?? call())
  services.counted?.({ name: 'webhooks_total', outcome: delivered ? 'delivered' : 'undelivered' })
  if (!delivered) services.log.warn('webhook.undelivered', { job, because })
  return { delivered, status: because, calledAt: seconds(services) }
}
