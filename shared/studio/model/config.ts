/**
 * How the studio is used. 'embedded': a site opens templates and receives the changed ones.
 * 'embedded-versioning': changed templates are stored as versions in the service. 'standalone': the page of
 * the service itself, with all stored templates.
 */
export type Mode = 'standalone' | 'embedded' | 'embedded-versioning'
export type StudioTheme = 'light' | 'dark' | 'auto'

export interface StudioConfig {
  readonly mode: Mode
  readonly origin: string // of the service, without a slash at the end
  readonly token: string
  readonly version: number | string // of the API
  readonly theme: StudioTheme
  /** Replaces fetch, for sites that forward the calls themselves. */
  readonly fetchOverride: typeof fetch | undefined
}

const modes: readonly unknown[] = ['standalone', 'embedded', 'embedded-versioning']
const themes: readonly unknown[] = ['light', 'dark', 'auto']

/** Applies the settings of a site to the previous configuration. Throws TypeError for an invalid value. */
export function readConfig(given: unknown, before: StudioConfig): StudioConfig {
  if (typeof given !== 'object' || given === null) throw new TypeError('The configuration must be an object.')
  const { mode, origin, token, version, theme, fetchOverride } = given as Record<string, unknown>
  const check = (name: string, value: unknown, fits: boolean) => {
    if (value !== undefined && value !== null && !fits)
      throw new TypeError(`"${name}" of the configuration cannot be used.`)
  }
  check('mode', mode, modes.includes(mode))
  check('theme', theme, themes.includes(theme))
  check('origin', origin, typeof origin === 'string' && /^https?:\/\//.test(origin) && URL.canParse(origin))
  check('token', token, typeof token === 'string')
  check('version', version, /^v?[1-9]\d*(\.\d+)*$/.test(String(version)))
  check('fetchOverride', fetchOverride, typeof fetchOverride === 'function')
  const settings = {
    mode,
    token,
    version,
    theme,
    fetchOverride,
    origin: origin && String(origin).replace(/\/+$/, ''),
  }
  const specified = Object.entries(settings).filter(([, value]) => value !== undefined && value !== null)
  return { ...before, ...Object.fromEntries(specified) }
}
