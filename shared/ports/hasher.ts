/** SHA-256 over bytes as they come. The origin has a native one, the edge a pure one. */
export interface Hasher {
  sha256(): RunningHash
}
export interface RunningHash {
  update(bytes: Uint8Array): void
  /** Lower-case hex. Ends the hash: no update after it. */
  hex(): string
}
