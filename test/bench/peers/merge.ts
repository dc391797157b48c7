import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import type { Style } from '../workloads.ts'

/** A merge engine under measurement: bytes of a template and data in, bytes of a document out. */
export interface MergePeer {
  readonly style: Style
  readonly extensions: readonly string[]
  prepare(template: Uint8Array, extension: string): Promise<(data: unknown) => Promise<Uint8Array>>
}

const require = createRequire(new URL('../package.json', import.meta.url))

export const mergePeers: Readonly<Record<string, () => Promise<MergePeer>>> = {
  platen: async () => {
    const { createMergeEngine } = await import('../../../shared/template/merge.ts')
    const { nodeCodec } = await import('../../../origin/codec.ts')
    const { formats } = await import('../../../origin/formats.ts')
    const { createRegistry } = await import('../../../shared/plugin/registry.ts')
    const { bytesOf } = await import('../../../shared/plugin/byte-source.ts')
    const { createHash } = await import('node:crypto')
    const registry = createRegistry(formats)
    const engine = createMergeEngine({ codec: nodeCodec, formats: (id: string) => registry.format(id) })
    return {
      style: 'paths',
      extensions: ['docx', 'xlsx', 'pptx'],
      prepare: async (bytes, format) => {
        return async (value) => {
          // The hash is part of what a request pays for, so it is inside the measured call.
          const hash = createHash('sha256').update(bytes).digest('hex')
          const options = { lang: 'en', timezone: 'UTC', now: 0, languageLevel: 5_000_000 }
          const merged = await engine.merge({ template: { hash, bytes, format }, data: { value }, options })
          return bytesOf(merged.value.document)
        }
      },
    }
  },

  carbone: async () => {
    const carbone = require('carbone')
    return {
      style: 'paths',
      extensions: ['docx', 'xlsx', 'pptx'],
      prepare: async (template, extension) => {
        const path = join(temporaryFolder('bench'), `template.${extension}`)
        writeFileSync(path, template)
        return (data) =>
          new Promise((resolve, reject) =>
            carbone.render(path, data, (error: unknown, result: Uint8Array) =>
              error ? reject(error) : resolve(result),
            ),
          )
      },
    }
  },

  docxtemplater: async () => {
    const Docxtemplater = require('docxtemplater')
    const PizZip = require('pizzip')
    return {
      style: 'sections',
      extensions: ['docx', 'pptx'],
      prepare: async (template) => async (data) => {
        const document = new Docxtemplater(new PizZip(template), { paragraphLoop: true, linebreaks: true })
        document.render(data)
        return document.getZip().generate({ type: 'uint8array', compression: 'DEFLATE' })
      },
    }
  },

  'easy-template-x': async () => {
    const { TemplateHandler } = require('easy-template-x')
    return {
      style: 'sections',
      extensions: ['docx'],
      prepare: async (template) => async (data) => {
        const buffer = await new TemplateHandler().process(Buffer.from(template), data)
        return new Uint8Array(buffer)
      },
    }
  },
}
