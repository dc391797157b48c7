import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StudioFile } from '../../../shared/ports/studio.ts'
import built from '../../../shared/studio/built.json' with { type: 'json' }

export interface Shown {
  fetch(path: string, init?: RequestInit): Promise<Response>
  stop?(): Promise<void>
}
export interface StudioSettings {
  readonly studio: boolean
  readonly user?: string
  /** PEM of a public key; absent: callers need no token. */
  readonly publicKey?: string
}

/** What the studio is served as, and to whom: docs/studio.md. */
export function studioContract(
  name: string,
  start: (settings: StudioSettings) => Promise<Shown>,
  publicKey: () => Promise<string>,
): void {
  const within = async (settings: StudioSettings, look: (fetch: Shown['fetch']) => Promise<void>) => {
    const shown = await start(settings)
    await look(shown.fetch).finally(() => shown.stop?.())
  }
  const basic = (user: string) => ({
    authorization: `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(user)))}`,
  })

  describe(`the studio, on: ${name}`, () => {
    let shown: Shown
    const fetch: Shown['fetch'] = (path, init) => shown.fetch(path, init)
    beforeAll(async () => {
      shown = await start({ studio: true })
    })
    afterAll(() => shown?.stop?.())

    it('its files, as they were built', async () => {
      const files: Readonly<Record<string, StudioFile>> = built
      for (const [file, { type, etag, text }] of Object.entries(files)) {
        const path = file === 'page.html' ? '/' : `/studio/${file}`
        const answer = await fetch(path)
        expect([file, answer.status, await answer.text()]).toEqual([file, 200, text])
        expect(headersOf(answer)).toMatchObject({
          'content-type': type,
          etag,
          'cache-control': 'no-cache',
          'cross-origin-resource-policy': 'cross-origin',
          'access-control-allow-origin': '*',
          'x-content-type-options': 'nosniff',
        })
        const again = await fetch(path, { headers: { 'if-none-match': etag } })
        expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
        const head = await fetch(path, { method: 'HEAD' })
        expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', etag])
      }
    })

    it('the page may run its own scripts only, and call the service only', async () => {
      const rules = (await fetch('/')).headers.get('content-security-policy')!.split('; ')
      expect(rules).toContain("default-src 'none'")
      expect(rules).toContain("script-src 'self'")
      expect(rules).toContain("connect-src 'self'")
      expect(await (await fetch('/')).text()).not.toMatch(/<script(?![^>]*src=)|\son\w+=|style=/i)
      expect((await fetch('/studio/element.js')).headers.has('content-security-policy')).toBe(false)
    })

    it('other paths are 404, and the API is unchanged', async () => {
      for (const file of ['nothing.js', 'toString', '__proto__', '..%2fapi.ts', '%E0%A4%A'])
        expect((await fetch(`/studio/${file}`)).status).toBeGreaterThanOrEqual(400)
      expect((await fetch('/', { method: 'POST' })).status).toBe(405)
      expect(await (await fetch('/status')).json()).toMatchObject({ success: true })
    })
  })

  describe(`the studio: ${name}`, () => {
    it('when it is off, GET / returns the status, and its files are 404', () =>
      within({ studio: false }, async (fetch) => {
        expect(await (await fetch('/')).json()).toMatchObject({ success: true, message: 'OK' })
        expect((await fetch('/studio/element.js')).status).toBe(404)
      }))

    it('a password protects the page and its script, but neither the embeddable element nor the API', () =>
      within({ studio: true, user: 'ann:pass:wörd' }, async (fetch) => {
        const wrong = [
          {},
          basic('ann:pass'),
          basic('ann:pass:word'),
          basic('Ann:pass:wörd'),
          basic(''),
          { authorization: 'Basic ?' },
          { authorization: 'Bearer ann:pass:wörd'.replace('ö', 'o') },
        ]
        for (const path of ['/', '/studio/page.js'])
          for (const headers of wrong) {
            const answer = await fetch(path, { headers: { ...headers } as Record<string, string> })
            expect([path, answer.status, answer.headers.get('www-authenticate')]).toEqual([
              path,
              401,
              'Basic realm="platen studio", charset="UTF-8"',
            ])
            expect(await answer.json()).toEqual({
              success: false,
              error: 'The studio of this service needs a name and a password.',
              code: 'studio.unauthorized',
            })
          }
        for (const path of ['/', '/studio/page.js'])
          expect((await fetch(path, { headers: basic('ann:pass:wörd') })).status).toBe(200)
        expect((await fetch('/studio/element.js')).status).toBe(200)
        expect((await fetch('/templates')).status).toBe(200)
      }))

    it('only the API requires tokens; without the studio GET / does too', async () => {
      const key = await publicKey()
      await within({ studio: true, publicKey: key }, async (fetch) => {
        expect((await fetch('/')).status).toBe(200)
        expect((await fetch('/templates')).status).toBe(401)
      })
      await within({ studio: false, publicKey: key }, async (fetch) => {
        expect((await fetch('/')).status).toBe(401)
        expect((await fetch('/studio/element.js')).status).toBe(401)
      })
    })

    it.each(['ann', ':pass', 'ann:'])('%j as name and password stops the start', async (user) => {
      await expect(start({ studio: true, user })).rejects.toMatchObject({ code: 'studio.user' })
    })
  })
}

function headersOf(answer: Response): Record<string, string> {
  return Object.fromEntries(answer.headers)
}
