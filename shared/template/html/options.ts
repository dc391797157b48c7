/** The options of `:html`, parsed from its arguments. Source: template language 22.5. */
export interface HtmlOptions {
  readonly inline: boolean
  readonly nospace: boolean
  readonly tableTheme: string | undefined
  readonly headingTheme: string | undefined
  readonly quoteTheme: string | undefined
}

/** Parses the arguments of `:html`. Unknown ones are ignored. */
export function htmlOptions(args: readonly string[]): HtmlOptions {
  const options = args.map((arg) => arg.trim())
  const has = (name: string) => options.some((arg) => arg.toLowerCase() === name)
  const named = (name: string) =>
    options
      .find((arg) => arg.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .replace(/^\s*'(.*)'\s*$/s, '$1')
      .trim() || undefined
  return {
    inline: has('inline'),
    nospace: has('nospace'),
    tableTheme: named('tabletheme'),
    headingTheme: named('headingtheme'),
    quoteTheme: named('quotetheme'),
  }
}
