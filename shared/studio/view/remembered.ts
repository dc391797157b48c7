import type { StudioTheme } from '../model/config.ts'

/**
 * The items that the service's own page stores in the browser: the token until its tab is closed, the theme
 * permanently.
 */
const tokenKey = 'platen-studio-token'
const themeKey = 'platen-studio-theme'

export function remembered(): { readonly token?: string; readonly theme?: StudioTheme } {
  try {
    const token = sessionStorage.getItem(tokenKey)
    const theme = localStorage.getItem(themeKey)
    return {
      ...(token !== null && { token }),
      ...((theme === 'light' || theme === 'dark') && { theme }),
    }
  } catch {
    // Browsers can be set up to store nothing.
    return {}
  }
}

export function rememberToken(token: string): void {
  kept(() => sessionStorage.setItem(tokenKey, token))
}

export function rememberTheme(theme: StudioTheme): void {
  kept(() => localStorage.setItem(themeKey, theme))
}

function kept(write: () => void): void {
  try {
    write()
  } catch {
    // Without storage the value lasts as long as the page.
  }
}
