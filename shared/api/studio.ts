import { AppError } from '../errors/app-error.ts'

/** A file of the template studio as it was built (docs/decisions/studio-built-files.md). */
export interface StudioFile {
  readonly type: string // media type
  readonly etag: string // with its quotes
  readonly text: string
}

/** The template studio of a service that has it switched on. */
export interface Studio {
  readonly files: Readonly<Record<string, StudioFile>> // by name: 'page.html', 'element.js'
  /** Whether a request may see its page, by the `Authorization` header. Takes equally long for every wrong one. */
  admits(authorization: string | undefined): Promise<boolean>
}

/**
 * `user`: 'name:password' that the page asks for; empty: it is open. Throws 'studio.user' for one without a name or a
 * password: a studio that was to be closed must not stand open.
 */
export async function openStudio(files: Readonly<Record<string, StudioFile>>, user: string): Promise<Studio> {
  if (user === '') return { files, admits: async () => true }
  if (!/^[^:]+:./s.test(user)) throw new AppError('studio.user')
  const expected = await digest(new TextEncoder().encode(user))
  return {
    files,
    async admits(authorization) {
      const given = await digest(credentials(authorization))
      let differs = 0
      for (const [at, byte] of expected.entries()) differs |= byte ^ given[at]!
      return differs === 0
    },
  }
}

/** The bytes behind `Basic` (RFC 7617 2); none for another scheme and for what is no base64. */
function credentials(authorization: string | undefined): Uint8Array {
  const [, letters = ''] = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '') ?? []
  try {
    return Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

async function digest(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)))
}
