import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Hasher } from '../ports/hasher.ts'

/** SHA-256 in JavaScript, for hosts whose native digest needs all bytes at once. */
export function createPureHasher(): Hasher {
  return {
    sha256() {
      const running = sha256.create()
      return {
        update: (bytes) => void running.update(bytes),
        hex: () => bytesToHex(running.digest()),
      }
    },
  }
}
