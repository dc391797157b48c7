import { fromBytes } from '../plugin/byte-source.ts'
import { type Manifest, manifestName, writeManifest } from '../provenance/manifest.ts'
import { type Result, type StoreOptions, storeResult } from '../services/results.ts'
import type { Services } from '../services/services.ts'

/** The output format of manifests. */
const manifestFormat = 'json'

/** A manifest and the name of the document that it describes. */
export interface NamedManifest {
  readonly manifest: Manifest
  readonly name: string
}

/** Returns the manifest of a document as a separate document. */
export function manifestResult(
  { registry }: Pick<Services, 'registry'>,
  { manifest, name }: NamedManifest,
): Result {
  const format = registry.format(manifestFormat)
  if (format === undefined) throw new Error('The registry has no JSON.')
  const [title] = manifestName.split('.')
  return { source: fromBytes(writeManifest(manifest)), format, name: `${name}.${title}` }
}

/** Stores the manifest of a document for one download, and returns its render id. Throws what `storeResult` throws. */
export async function storeManifest(
  services: Services,
  account: string,
  named: NamedManifest,
  options: Pick<StoreOptions, 'location' | 'isHeld'> = {},
): Promise<string> {
  const result = { ...manifestResult(services, named), templateId: undefined }
  return storeResult(services, account, result, options)
}
