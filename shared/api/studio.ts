import { AppError } from '../errors/app-error.ts'
import { fromBase64 } from '../plugin/base64.ts'
import type { Studio, StudioFile } from '../ports/studio.ts'

/**
 * Creates the studio. `user` is the 'name:password' that it requires; without one it is open to everyone.
 * Throws 'studio.user' when the name or the password is missing, rather than open a studio that was meant to
 * be protected.
 */
export async function openStudio(files: Readonly<Record<string, StudioFile>>, user: string): Promise<Studio> {
  if (user === '') return { files, admits: async () => true }
  if (!/^[^:]+:./s.test(user)) throw new AppError('studio.user')
  const expected = await digest(new TextEncoder().encode(user))
  return {
    files,
    async admits(authorization) {
      const received = await digest(credentials(authorization))
      let difference = 0
      for (const [index, byte] of expected.entries()) difference |= byte ^ (received[index] ?? 0)
      return difference === 0
    },
  }
}

/**
 * Decodes the credentials of a `Basic` header (RFC 7617 2). Returns no bytes for other schemes and invalid
 * base64.
 */
function credentials(authorization: string | undefined): Uint8Array {
  const [, letters = ''] = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '') ?? []
  return fromBase64(letters) ?? new Uint8Array()
}

async function digest(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)))
}
