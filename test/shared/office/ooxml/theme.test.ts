import { describe, expect, test } from 'vitest'
import { readTheme } from '../../../../shared/office/ooxml/theme.ts'

const theme = (complex: string): string =>
  `<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:themeElements><a:fontScheme><a:majorFont><a:latin typeface="Head"/><a:ea typeface=""/><a:cs typeface="${complex}"/><a:font script="Jpan" typeface="Mincho"/><a:font script="Hant" typeface="Ming"/><a:font script="Arab" typeface="Naskh"/></a:majorFont></a:fontScheme></a:themeElements></a:theme>`

describe('faces of a theme for other scripts', () => {
  test.each([
    ['follow the language of the document', '', { eastAsia: 'ja-JP', bidi: 'ar-SA' }, 'Mincho', 'Naskh'],
    ['tell the ways to write Chinese apart', '', { eastAsia: 'zh-TW' }, 'Ming', undefined],
    ['yield to a face named outright', 'Own', { bidi: 'ar-SA' }, undefined, 'Own'],
    ['are none without a language', '', {}, undefined, undefined],
    [
      'are none for a script the theme leaves out',
      '',
      { eastAsia: 'ko-KR', bidi: 'he-IL' },
      undefined,
      undefined,
    ],
  ])('%s', (_, complex, languages, eastAsia, bidi) => {
    const { fonts } = readTheme(theme(complex), languages)
    expect([fonts.get('majorEastAsia'), fonts.get('majorBidi'), fonts.get('majorAscii')]).toEqual([
      eastAsia,
      bidi,
      'Head',
    ])
  })
})
