import { writeDocs } from '../../origin/docs/write.ts'

/** The pages of the documentation as static assets, which wrangler has made before it bundles the Worker. */
export default function setup(): void {
  writeDocs()
}
