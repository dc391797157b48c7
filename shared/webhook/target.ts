import { setEntry } from '../entry-of.ts'
import { AppError } from '../errors/app-error.ts'

/** The webhook of an asynchronous render: its address, and the headers that the caller asks to be sent. */
export interface WebhookTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** The rest of a header name with this prefix is the name of a header to send to the webhook. */
const prefix = 'service-webhook-header-'

/**
 * Reads the webhook from the headers of a request; undefined when there is none. A header with the webhook
 * prefix overrides the egress authorization. Version 3 of the API does not have the prefix. Throws
 * 'api.render.webhook' for an address that is not an absolute http or https URL.
 */
export function readWebhook(
  headers: ReadonlyMap<string, string>,
  major: 3 | 4 | 5 = 5,
): WebhookTarget | undefined {
  const url = headers.get('service-webhook-url')
  if (url === undefined) return undefined
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new AppError('api.render.webhook')
  const sent: Record<string, string> = {}
  const egress = headers.get('service-egress-header-authorization')
  if (egress !== undefined) sent['authorization'] = egress
  for (const [name, value] of major === 3 ? [] : headers) {
    if (name.startsWith(prefix) && name.length > prefix.length)
      setEntry(sent, name.slice(prefix.length), value)
  }
  return { url, headers: sent }
}
