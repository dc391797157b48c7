import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../../../../shared/limits.ts'
import { lexHtml } from '../../../../shared/template/scan/html.ts'

/** Opening and closing tags with what HTML leaves out put in; text in between. */
const cases: Readonly<Record<string, readonly [html: string, lexemes: string]>> = {
  'elements without content': ['a<br>b<img src=">">', 'a <br/> b <img/>'],
  'list items end where the next begins': ['<ul><li>a<li>b</ul>', '<ul> <li> a </li> <li> b </li> </ul>'],
  'cells and rows end with the table': [
    '<table><tr><td>a<td>b<tr><td>c</table>',
    '<table> <tr> <td> a </td> <td> b </td> </tr> <tr> <td> c </td> </tr> </table>',
  ],
  'a paragraph ends before a block': ['<p>a<div>b</div>', '<p> a </p> <div> b </div>'],
  'an inner list does not end an outer item': [
    '<ul><li>a<ul><li>b</ul></ul>',
    '<ul> <li> a <ul> <li> b </li> </ul> </li> </ul>',
  ],
  'scripts are text up to their end': [
    '<script>if (a<b) "</p>"</script>',
    '<script> if (a<b) "</p>" </script>',
  ],
  'an end tag that opens nothing is left alone': ['a</b>c', 'a ? c'],
  'what is never closed ends with the text': ['<div><b>a', '<div> <b> a </b> </div>'],
}

describe('HTML', () => {
  for (const [name, [html, expected]] of Object.entries(cases))
    it(name, () => {
      const shown = lexHtml(html, 'part', defaultLimits).map((each) => {
        if (each.kind === 'text') return html.slice(each.start, each.end)
        if (each.kind === 'instruction') return '?'
        return {
          open: `<${each.name}>`,
          close: `</${each.name}>`,
          void: `<${each.name}/>`,
          comment: '!',
          cdata: '!',
        }[each.kind]
      })
      expect(shown.join(' ')).toBe(expected)
    })
})
