import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import type { FormatPlugin, Host, Log } from '../../shared/plugin/contract.ts'

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** A host for plugins under test, with the formats handed in. */
export function testHost(formats: readonly FormatPlugin[] = []): Host {
  return {
    format: (id) => formats.find((format) => format.id === id),
    asset: async () => undefined,
    codec: {
      inflateRaw: (bytes, maxBytes) => inflateRawSync(bytes, { maxOutputLength: maxBytes }),
      deflateRaw: (bytes) => deflateRawSync(bytes),
      crc32: (bytes, seed = 0) => crc32(bytes, seed),
    },
    log: silentLog,
    now: () => Date.now(),
  }
}
