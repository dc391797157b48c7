import { expect, it } from 'vitest'
import { composedLink, linkAddress } from '../../../../shared/template/media/link.ts'
import { titled } from '../../../helpers/titled.ts'

it.each(
  titled([
    ['https://example.com/a?b=1&c=2#d', 'https://example.com/a?b=1&c=2#d'],
    ['HTTP://example.com', 'HTTP://example.com'],
    ['example.com', 'https://example.com'],
    ['//example.com/x', 'https://example.com/x'],
    ['example.com:8080/x', 'https://example.com:8080/x'],
    ['localhost:3000', 'https://localhost:3000'],
    ['  example.com/a b  ', 'https://example.com/a%20b'],
    ['example.com/"<é>', 'https://example.com/%22%3Cé%3E'],
    ['mailto:a@example.com', 'mailto:a@example.com'],
    ['tel:+33123', 'tel:+33123'],
    ['ftp://example.com/f', 'ftp://example.com/f'],
    ['#chapter', '#chapter'],
    ['', undefined],
    ['   ', undefined],
    ['javascript:alert(1)', undefined],
    ['javascript:1', undefined],
    ['JaVaScRiPt:alert(1)', undefined],
    ['java\nscript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['file:///etc/passwd', undefined],
    ['vbscript:x', undefined],
    ['https://', undefined],
    ['not a host', undefined],
    [`https://example.com/${'a'.repeat(10_000)}`, undefined],
  ] as const),
)('%s', (_title, text, expected) => {
  expect(linkAddress(text)).toBe(expected)
})

it.each(
  titled([
    [['https://example.com/', 'a b', '?q=', 'R&D'], 'https://example.com/a%20b?q=R%26D'],
    [['http://', 'example.com', '/'], 'http://example.com/'],
    [['http://', 'https://example.com/x?a=1', '/'], 'https://example.com/x?a=1'],
    [['https://', ' http://example.com', '/x'], 'http://example.com/x'],
    [['http://', 'mailto:a@example.com', '/'], 'mailto:a@example.com'],
    [['mailto:', 'mailto:a@example.com'], 'mailto:a@example.com'],
    [['mailto:', 'a@example.com'], 'mailto:a@example.com'],
    [['http://', 'javascript:alert(1)', '/'], undefined],
    [['https://example.com/?u=', 'https://example.org'], 'https://example.com/?u=https://example.org'],
  ] as const),
)('segments %s', (_title, segments, expected) => {
  expect(composedLink(segments, String)).toBe(expected)
})
