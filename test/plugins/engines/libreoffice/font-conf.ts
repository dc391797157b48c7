import type { FontAlias } from '../../../../plugins/engines/instant/fonts/aliases.ts'

/** The alias table as fontconfig rules: what `fonts.conf` of the office engine must hold. */
export function fontConfOf(aliases: readonly FontAlias[], fallback: string): string {
  // A family that is installed always wins over its stand-ins, so an alias that points at itself says nothing.
  const rules = aliases.map(({ family, to }) => {
    const families = to.filter((one) => one !== family).map((one) => `<family>${escaped(one)}</family>`)
    return `  <alias binding="same"><family>${escaped(family)}</family><accept>${families.join('')}</accept></alias>`
  })
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
    '<!-- Which installed family stands in for one that is missing: the same table as in the instant engine. -->',
    '<fontconfig>',
    ...rules.filter((rule) => rule.includes('<accept><')),
    '  <!-- Whatever is not listed is set in the default sans, before the system gets to guess. -->',
    `  <match target="pattern"><edit name="family" mode="append" binding="same"><string>${fallback}</string></edit></match>`,
    '</fontconfig>',
    '',
  ].join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
