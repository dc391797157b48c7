/** Incremental SHA-256. The origin uses a native implementation, the edge one in JavaScript. */
export interface Hasher {
  sha256(): RunningHash
}
export interface RunningHash {
  update(bytes: Uint8Array): void
  /** Returns the digest in lower-case hex. `update` must not be called afterwards. */
  hex(): string
}
