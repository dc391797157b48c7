import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Shown } from './studio.ts'

/** What the documentation is served as, on and off: docs/SECURITY.md, headers. */
export function docsContract(name: string, start: (on: boolean) => Promise<Shown>): void {
  describe(`the documentation, on: ${name}`, () => {
    let shown: Shown
    beforeAll(async () => {
      shown = await start(true)
    })
    afterAll(() => shown?.stop?.())

    it.each([
      ['/docs', 'Documentation'],
      ['/docs/', 'Documentation'],
      ['/docs/template-language', 'The template language'],
      ['/docs/formatters', 'Formatters'],
      ['/docs/decisions', 'Decisions'],
    ])('%s is a page', async (path, title) => {
      const answer = await shown.fetch(path)
      const html = await answer.text()
      expect([answer.status, /<h1[^>]*>([^<]*)/.exec(html)?.[1]]).toEqual([200, title])
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src data:/,
      )
    })

    it('a page that has not changed is not sent again', async () => {
      const first = await shown.fetch('/docs/api')
      await first.text()
      const etag = first.headers.get('etag')!
      const again = await shown.fetch('/docs/api', { headers: { 'if-none-match': etag } })
      expect([again.status, await again.text()]).toEqual([304, ''])
    })

    it.each(['/docs/nothing', '/docs/..%2Fapi', '/docs/api.json', '/docs/constructor', '/docs/%00'])(
      '%s is no page',
      async (path) => {
        const answer = await shown.fetch(path)
        expect(answer.status).toBe(404)
        expect(await answer.json()).toMatchObject({ success: false })
      },
    )
  })

  it(`the documentation, off: ${name}`, async () => {
    const shown = await start(false)
    const answer = await shown.fetch('/docs')
    expect(answer.status).toBe(404)
    await answer.text()
    await shown.stop?.()
  })
}
