import type { Theme } from '../model/config.ts'

/** What the service's own page keeps in the browser: the token while its tab is open, the theme for good. */
const tokenKey = 'platen-studio-token'
const themeKey = 'platen-studio-theme'

export function remembered(): { readonly token?: string; readonly theme?: Theme } {
  try {
    const token = sessionStorage.getItem(tokenKey)
    const theme = localStorage.getItem(themeKey)
    return {
      ...(token !== null && { token }),
      ...((theme === 'light' || theme === 'dark') && { theme }),
    }
  } catch {
    // Browsers can be told to keep nothing.
    return {}
  }
}

export function rememberToken(token: string): void {
  kept(() => sessionStorage.setItem(tokenKey, token))
}

export function rememberTheme(theme: Theme): void {
  kept(() => localStorage.setItem(themeKey, theme))
}

function kept(write: () => void): void {
  try {
    write()
  } catch {
    // As above: it then lasts as long as the page.
  }
}
