import { expect, it } from 'vitest'
import { engine } from '../../../helpers/merge.ts'

/** Lint names the places of a page where a value is code. */
const rows: readonly (readonly [template: string, message: RegExp])[] = [
  ['<script>{d.x:html}</script>', /\{d\.x:html\} writes its value as it is into a script/],
  ['<style>{d.x:html}</style>', /into a style sheet/],
  ['<iframe srcdoc="{d.x:html}"></iframe>', /into a page in an attribute/],
  ['<b onclick="{d.x:html}">x</b>', /into a script/],
  ['<b {d.x}>x</b>', /whole attributes/],
  ['<{d.x}>x', /part of a name/],
]
const placesOf = async (text: string) => {
  const bytes = new TextEncoder().encode(text)
  const { warnings } = await engine.inspect({
    template: { bytes, format: 'html', hash: '' },
    languageLevel: 5,
    lang: 'en',
  })
  return warnings.filter(({ code }) => code === 'template.tag.place').map(({ message }) => message)
}
it.each(rows)('%s', async (template, message) => {
  const found = await placesOf(template)
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(message)
})
it('escaped values are no problem', async () => {
  expect(await placesOf('<script>let x = "{d.x}"</script><p style="color:{d.c}">{d.x:html}</p>')).toEqual([])
})
