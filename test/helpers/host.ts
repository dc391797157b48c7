import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { defaultLimits } from '../../shared/limits.ts'
import { scanOnThread } from '../../shared/office/incoming/scan-document.ts'
import type { FormatPlugin, Host } from '../../shared/plugin/contract.ts'
import type { Log } from '../../shared/plugin/values.ts'

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** A host for plugins under test, with the given formats. */
export function testHost(formats: readonly FormatPlugin[] = []): Host {
  const codec = {
    inflateRaw: (bytes: Uint8Array, maxBytes: number) => inflateRawSync(bytes, { maxOutputLength: maxBytes }),
    deflateRaw: (bytes: Uint8Array) => deflateRawSync(bytes),
    crc32: (bytes: Uint8Array, seed = 0) => crc32(bytes, seed),
  }
  return {
    format: (id) => formats.find((format) => format.id === id),
    asset: async () => undefined,
    codec,
    scanOffice: async (document) => scanOnThread(document, { codec, limits: defaultLimits }),
    log: silentLog,
    now: () => Date.now(),
  }
}
