import { expect, it } from 'vitest'
import { base64, type Client, unique } from './client.ts'

/** Specification 4.2, 4.11 and 9: each option of a render does what it says. What formatters print has tests of its own. */
export function optionCases(client: () => Client): void {
  const text = async (template: string, body: object, version = '5') => {
    const answer = await client().post(
      '/render/template?download=true',
      { template: base64(template), ...body },
      { 'service-version': version },
    )
    expect([template, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([template, 200, ''])
    return answer.text
  }
  const error = async (template: string, body: object, version = '5') => {
    const answer = await client().post(
      '/render/template?download=true',
      { template: base64(template), ...body },
      { 'service-version': version },
    )
    expect([answer.status, answer.body?.success]).toEqual([500, false])
    return answer.body.error as string
  }

  it('enum maps a value by an array or by an object', async () => {
    const template = '{d.a:convEnum(LIST)}-{d.b:convEnum(MAP)}'
    const body = { data: { a: 1, b: 'x' }, enum: { LIST: ['pending', 'sent'], MAP: { x: 'Ex' } } }
    expect(await text(template, body)).toBe('sent-Ex')
  })

  it('translations and lang: the text of the locale, or the text itself', async () => {
    const translations = { 'fr-fr': { Hello: 'Bonjour' }, 'de-de': { Hello: 'Hallo' } }
    const template = '{t(Hello)} {d.a}'
    expect(await text(template, { data: { a: 1 }, translations, lang: 'fr-fr' })).toBe('Bonjour 1')
    expect(await text(template, { data: { a: 1 }, translations, lang: 'de-de' })).toBe('Hallo 1')
    expect(await text(template, { data: { a: 1 }, translations, lang: 'it-it' })).toBe('Hello 1')
  })

  it('lang adapts numbers and dates', async () => {
    const template = '{d.n:formatN(2)}|{d.t:formatD(MMMM)}'
    const data = { n: 1234.5, t: '2024-03-05' }
    expect(await text(template, { data, lang: 'en-us' })).toBe('1,234.50|March')
    expect((await text(template, { data, lang: 'de-de' })).replace(/\s/g, ' ')).toBe('1.234,50|März')
  })

  it('timezone is that of the dates', async () => {
    const template = "{d.t:formatD('YYYY-MM-DD HH:mm')}"
    const data = { t: '2024-01-01T12:00:00Z' }
    expect(await text(template, { data, timezone: 'America/New_York' })).toBe('2024-01-01 07:00')
    expect(await text(template, { data, timezone: 'Asia/Tokyo' })).toBe('2024-01-01 21:00')
    expect(await text(template, { data })).toBe('2024-01-01 12:00')
  })

  it('currencies: source, target and rates', async () => {
    const body = { data: { p: 10 }, lang: 'en-us', currencySource: 'EUR', currencyRates: { EUR: 1, USD: 2 } }
    expect(await text('{d.p:formatC(2)}', { ...body, currencyTarget: 'USD' })).toBe('$20.00')
    expect(await text('{d.p:formatC(2)}', { ...body, currencyTarget: 'EUR' })).toBe('€10.00')
  })

  it('extension says the type of a template that its content leaves open', async () => {
    const data = { v: 'a,b "c" <d>' }
    expect(await text('x;{d.v}', { data, extension: 'txt' })).toBe('x;a,b "c" <d>')
    expect(await text('x,{d.v}', { data, extension: 'csv' })).toBe('x,"a,b ""c"" <d>"')
    expect(await text('["{d.v}"]', { data, extension: 'json' })).toBe('["a,b \\"c\\" <d>"]')
    expect(await text('<x>{d.v}</x>', { data, extension: '.xml' })).toBe('<x>a,b "c" &lt;d&gt;</x>')
    expect(await text('<x>{d.v}</x>', { data, extension: 'TXT' })).toBe('<x>a,b "c" <d></x>')
    expect(await error('x {d.v}', { data, extension: 'docx' })).toContain('docx')
    for (const extension of ['png', 'nothing']) {
      const body = { template: base64('x {d.v}'), data, extension }
      expect((await client().post('/render/template', body)).status).toBe(415)
    }
  })

  it('variableStr defines aliases for the template', async () => {
    expect(await text('{$who}!', { data: { name: 'Ann' }, variableStr: '{#who = d.name}' })).toBe('Ann!')
    for (const [variableStr, warning] of [
      ['{#a', 'template.alias.unread'],
      ['{#a}', 'template.alias.unread'],
      ['who = d.name', 'template.alias.unread'],
      ['{#who = d.name}, {#b = d.c}\n', null],
      ['', null],
    ] as const) {
      const body = { template: base64('x'), data: {}, variableStr }
      const answer = await client().post('/render/template?download=true', body)
      expect([variableStr, answer.headers.get('service-warning')]).toEqual([variableStr, warning])
    }
  })

  it('complement is an object that tags read beside the data', async () => {
    expect(await text('{d.a}{c.b}', { data: { a: 1 }, complement: { b: 2 } })).toBe('12')
  })

  it('options in the template beat those of the request, which beat the defaults', async () => {
    const data = { n: 1234.5 }
    expect(await text('{o.lang=de-de}{d.n:formatN(1)}', { data, lang: 'en-us' })).toBe('1.234,5')
  })

  it('an unknown option in the template is removed from the output', async () => {
    for (const version of ['5', '4'])
      expect(await text('{o.nonsense=1}{d.a}', { data: { a: 1 } }, version)).toBe('1')
  })

  it('a loop without its second row is an error in version 5; version 4 and preReleaseFeatureIn are tolerant', async () => {
    const body = { data: { list: [{ a: 1 }] } }
    const template = '{d.list[i].a}'
    expect(await error(template, body)).toMatch(/^Unable to generate the document\. .*\[i\+1\]/)
    expect((await text(template, body, '4')).length).toBeGreaterThan(0)
    expect((await text(template, { ...body, preReleaseFeatureIn: 4_022_011 })).length).toBeGreaterThan(0)
  })

  it('hardRefresh is ignored with a warning where no engine can open the file', async () => {
    const answer = await client().post('/render/template?download=true', {
      template: base64('{d.a}'),
      data: { a: 1 },
      convertTo: 'txt',
      hardRefresh: true,
    })
    expect(answer.status).toBe(200)
    expect([null, 'hard-refresh']).toContain(answer.headers.get('service-warning'))
  })

  it('converting only: no data, a file, a format', async () => {
    const body = { template: base64('<p>{d.a}</p>'), convertTo: 'html', reportName: 'page' }
    const answer = await client().post('/render/template?download=true', body)
    expect([answer.status, answer.text, answer.headers.get('content-disposition')]).toEqual([
      200,
      '<p>{d.a}</p>',
      'attachment; filename="page.html"',
    ])
  })

  it('service-template-delete-after is limited to 1 to 30 days; 0 and anything but a number have no effect', async () => {
    const now = Math.floor(Date.now() / 1000)
    for (const [header, least, most] of [
      ['86400', 86_400, 86_400],
      ['60', 86_400, 86_400],
      ['99999999', 2_592_000, 2_592_000],
      ['0', -now, -now],
      ['soon', -now, -now],
    ] as const) {
      const answer = await client().post(
        '/template',
        { template: base64(unique('after')) },
        { 'service-template-delete-after': header },
      )
      const [row] = (await client().get(`/templates?versionId=${answer.body.data.templateId}`)).body.data
      const life = row.expireAt - now
      expect([header, life >= least - 1 && life <= most + 5]).toEqual([header, true])
    }
  })

  it('version 3 of the API has no versions of templates', async () => {
    const template = base64(unique('three'))
    const body = { template, versioning: true, id: '123456' }
    const answer = await client().post('/template', body, { 'service-version': '3' })
    expect([answer.status, Object.keys(answer.body.data)]).toEqual([200, ['templateId', 'templateExtension']])
    expect(
      Object.keys((await client().post('/template', body, { 'service-version': '4' })).body.data),
    ).toContain('versionId')
  })

  it('simultaneous calls with and without data do not change the template', async () => {
    const id = await client().hashed(`${unique('same')} {d.a}`)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        client().post(`/render/${id}?download=true`, at % 2 === 0 ? { data: { a: at } } : {}),
      ),
    )
    for (const [at, { text }] of answers.entries())
      expect(text.endsWith(at % 2 === 0 ? ` ${at}` : ' {d.a}')).toBe(true)
  })
}
