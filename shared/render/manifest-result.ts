import { fromBytes } from '../plugin/byte-source.ts'
import { manifestName, writeManifest } from '../provenance/manifest.ts'
import { type RenderLocation, type Result, storeResult } from '../services/results.ts'
import type { Services } from '../services/services.ts'
import type { Rendered } from './request.ts'

/** The format of manifests. */
const manifestFormat = 'json'

/** The manifest of a document as a document of its own. Undefined where the document has none. */
export function manifestResult(
  { registry }: Pick<Services, 'registry'>,
  { manifest, name }: Pick<Rendered, 'manifest' | 'name'>,
): Result | undefined {
  if (manifest === undefined) return undefined
  const format = registry.format(manifestFormat)
  if (format === undefined) throw new Error('The registry has no JSON.')
  const [title] = manifestName.split('.')
  return { source: fromBytes(writeManifest(manifest)), format, name: `${name}.${title}` }
}

/**
 * Stores the manifest of a document for one download, and returns its render id. Undefined where the document has none.
 * Throws as `storeResult`.
 */
export async function storeManifest(
  services: Services,
  account: string,
  rendered: Pick<Rendered, 'manifest' | 'name'>,
  location?: RenderLocation,
): Promise<string | undefined> {
  const result = manifestResult(services, rendered)
  return result && storeResult(services, account, { ...result, templateId: undefined }, location)
}
