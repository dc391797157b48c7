import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SignJWT } from 'jose'
import { AppError } from '../../../shared/errors/app-error.ts'
import type { Host } from '../../../shared/plugin/contract.ts'
import type { Driver, DriverJob } from './driver.ts'
import { createHandout } from './handout.ts'
import type { AlternativeSettings } from './settings.ts'

const title = 'ONLYOFFICE Docs'
const maxFileBytes = 512 * 2 ** 20
const pollMs = 500
const healthMs = 3000
/** Newer servers answer at the first path, older ones at the second. */
const endpoints = ['converter', 'ConvertService.ashx']

interface OnlyOfficeAnswer {
  readonly endConvert?: boolean
  readonly fileUrl?: string
  readonly error?: number
}

/**
 * A document server. It fetches the document from an address in the request, and answers with the address of the
 * result. Requests are signed if the server has a secret. Source: ONLYOFFICE Docs API, conversion API (request,
 * response, error codes, token).
 */
export function onlyOffice(settings: AlternativeSettings & { readonly url: string }, host: Host): Driver {
  const base = new URL(settings.url.endsWith('/') ? settings.url : `${settings.url}/`)
  const handout = createHandout(settings.callback)
  let endpoint: string | undefined

  return {
    title,
    formats: ['docx', 'xlsx', 'pptx'],
    isAvailable: () =>
      fetch(new URL('healthcheck', base), { signal: AbortSignal.timeout(healthMs) }).then(
        (answer) => answer.ok,
        () => false,
      ),
    convert,
    stop: () => handout.close(),
  }

  async function convert({ from, bytes, deadline, signal }: DriverJob): Promise<Uint8Array> {
    const timeout = AbortSignal.timeout(Math.max(1, Math.min(deadline - host.now(), 2 ** 31 - 1)))
    const ends = AbortSignal.any([signal, timeout])
    const handedOut = await handout.give(bytes)
    const body = {
      async: false,
      filetype: from,
      key: randomBytes(12).toString('hex'),
      outputtype: 'pdf',
      title: `document.${from}`,
      url: handedOut.url,
    }
    try {
      for (;;) {
        const answer = await send(body, ends)
        if (answer.error !== undefined) throw errorOf(answer.error, from)
        if (answer.endConvert === true && answer.fileUrl !== undefined)
          return await download(answer.fileUrl, base, from, ends)
        await sleep(pollMs, undefined, { signal: ends })
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (timeout.aborted) throw new AppError('convert.timeout', { doing: `converting ${from} to pdf` })
      if (error instanceof AppError) throw error
      const because = 'the document server does not answer'
      throw new AppError('convert.engine-off', { engine: title, because }, { cause: error })
    } finally {
      handedOut.end()
    }
  }

  async function send(
    body: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<OnlyOfficeAnswer> {
    for (const path of endpoint === undefined ? endpoints : [endpoint]) {
      const signed = await signedRequest(body, settings.secret, signal)
      const answer = await fetch(new URL(path, base), signed)
      if (answer.status === 404) {
        await answer.body?.cancel()
        continue
      }
      endpoint = path
      if (!answer.ok) throw new Error(`status ${answer.status}`)
      return (await answer.json()) as OnlyOfficeAnswer
    }
    throw new Error('no conversion endpoint')
  }
}

/** The token is sent in the body and in the header, because servers differ in which of them they read. */
async function signedRequest(
  body: Readonly<Record<string, unknown>>,
  secret: string | undefined,
  signal: AbortSignal,
): Promise<RequestInit> {
  const headers: Record<string, string> = { accept: 'application/json', 'content-type': 'application/json' }
  if (secret === undefined) return { method: 'POST', headers, body: JSON.stringify(body), signal }
  const key = new TextEncoder().encode(secret)
  const sign = (claims: Readonly<Record<string, unknown>>) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).setExpirationTime('5m').sign(key)
  headers['authorization'] = `Bearer ${await sign({ payload: body })}`
  return { method: 'POST', headers, body: JSON.stringify({ ...body, token: await sign(body) }), signal }
}

/**
 * Fetches the result. The server states its address from its own point of view, which need not be valid here; only
 * the path is used, at the configured address.
 */
async function download(fileUrl: string, base: URL, from: string, signal: AbortSignal): Promise<Uint8Array> {
  const named = new URL(fileUrl, base)
  const address = new URL(`${named.pathname}${named.search}`, base)
  const answer = await fetch(address, { signal, redirect: 'error' })
  const declared = Number(answer.headers.get('content-length') ?? 0)
  if (!answer.ok || declared > maxFileBytes) {
    await answer.body?.cancel()
    const because = 'its result cannot be fetched'
    throw new AppError('convert.failed', { engine: title, from, to: 'pdf', because })
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > maxFileBytes)
      throw new AppError('convert.memory', { engine: title, limit: maxFileBytes / 2 ** 20 })
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

function errorOf(code: number, from: string): AppError {
  switch (code) {
    case -5:
      return new AppError('convert.password', { from })
    case -3:
    case -7:
    case -9:
      return new AppError('convert.document', {
        engine: title,
        from,
        because: 'it is damaged or not of this type',
      })
    case -2:
      return new AppError('convert.timeout', { doing: `converting ${from} to pdf` })
    case -4:
      return new AppError('convert.engine-off', {
        engine: title,
        because: 'the document server cannot fetch documents from SERVICE_OFFICE_ALT_CALLBACK',
      })
    case -8:
      return new AppError('convert.engine-off', {
        engine: title,
        because: 'the document server refuses SERVICE_OFFICE_ALT_SECRET',
      })
    default:
      return new AppError('convert.failed', { engine: title, from, to: 'pdf', because: `error ${code}` })
  }
}
