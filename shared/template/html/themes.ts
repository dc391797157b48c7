/**
 * Looks up the styles that the options of `:html` name. A name that the template does not define is reported; the content is
 * then written without that style. Source: template language 22.5.
 */
import { nearestName } from '../../nearest-name.ts'
import type { RenderScope } from '../scope.ts'
import { warnOnce } from '../warnings.ts'
import type { HtmlOptions } from './options.ts'

/** The styles of a template that HTML may use. */
export interface ThemeStyles {
  /** Whether a style with this name exists; for headings also `prefix1` to `prefix6`. */
  has(kind: 'table' | 'paragraph', name: string): boolean
  /** The display names of the styles, for suggestions. */
  names(kind: 'table' | 'paragraph'): Iterable<string>
}

const levels = [1, 2, 3, 4, 5, 6]

export function reportUnknownThemes(scope: RenderScope, options: HtmlOptions, styles: ThemeStyles): void {
  const { tableTheme, headingTheme, quoteTheme } = options
  if (tableTheme !== undefined && !styles.has('table', tableTheme))
    report(scope, { option: 'tabletheme', name: tableTheme, kind: 'table style' }, styles.names('table'))
  if (quoteTheme !== undefined && !styles.has('paragraph', quoteTheme))
    report(
      scope,
      { option: 'quotetheme', name: quoteTheme, kind: 'paragraph style' },
      styles.names('paragraph'),
    )
  if (
    headingTheme !== undefined &&
    !levels.some((level) => styles.has('paragraph', `${headingTheme}${level}`))
  ) {
    const prefixes = [...styles.names('paragraph')].flatMap(
      (name) => /^(.*\S)\s*[1-6]$/.exec(name)?.[1] ?? [],
    )
    report(scope, { option: 'headingtheme', name: headingTheme, kind: 'paragraph styles 1 to 6' }, prefixes)
  }
}

const maxShown = 60 // characters of a name

function report(
  scope: RenderScope,
  { option, name, kind }: { readonly option: string; readonly name: string; readonly kind: string },
  styleNames: Iterable<string>,
): void {
  const shown = name.length > maxShown ? `${name.slice(0, maxShown)}…` : name
  const similar = nearestName(name, styleNames)
  const advice =
    similar === undefined
      ? ' An office program stores a style with the document only when something uses it.'
      : ` Do you mean "${similar}"?`
  warnOnce(scope, {
    code: 'template.html.theme',
    message: `Option ${option} of :html names "${shown}", but the template has no ${kind} of that name.${advice}`,
  })
}
