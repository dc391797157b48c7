import { AppError } from '../errors/app-error.ts'

/** Where the end of an asynchronous render is told, and with which headers besides our own. */
export interface WebhookTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

const prefix = 'service-webhook-header-'

/**
 * The webhook of a request, undefined when it names none. A header given for the webhook wins over the egress
 * authorization; version 3 of the API knows no such headers. Throws 'api.render.webhook' for what is no absolute http(s)
 * address.
 */
export function readWebhook(
  headers: ReadonlyMap<string, string>,
  major: 3 | 4 | 5 = 5,
): WebhookTarget | undefined {
  const url = headers.get('service-webhook-url')
  if (url === undefined) return undefined
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new AppError('api.render.webhook')
  const own: Record<string, string> = {}
  const egress = headers.get('service-egress-header-authorization')
  if (egress !== undefined) own['authorization'] = egress
  for (const [name, value] of major === 3 ? [] : headers) {
    if (name.startsWith(prefix) && name.length > prefix.length) own[name.slice(prefix.length)] = value
  }
  return { url, headers: own }
}
