import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type BucketFile,
  bucketIndexKey,
  readBucketIndex,
  writeBucketIndex,
} from '../../plugins/engines/instant/fonts/bucket-index.ts'
import { createInstancer } from '../../plugins/engines/instant/fonts/variation/instancer.ts'
import { bucketFamilies, type Extract, packFaces } from '../fonts/bucket-files.ts'
import { folderFonts } from '../fonts/folder-fonts.ts'
import { loadSubsetter } from '../fonts/harfbuzz.ts'
import { machineFontsNow, shippedFonts } from '../fonts/index.ts'
import { type LocalCommand, UsageError } from './command.ts'
import { readCommandLine } from './flags.ts'
import { wrangler } from './wrangler.ts'

/** The location of the bucket. */
interface Bucket {
  readonly name: string
  readonly wranglerOptions: readonly string[] // options of wrangler
}

/** Uploads the fonts that a Worker needs to its bucket, with an index of their characters. */
export const fontsCommand: LocalCommand = {
  local: true,
  usage:
    'platen fonts sync --to remote|local [--bucket NAME] [--persist-to FOLDER] [--family NAME]... [--dry-run] [--workdir FOLDER]',
  summary:
    'Copies fonts of this machine into the bucket of an edge: the fallback and substitute fonts, and those in the folder fonts/. Files that the bucket already has are not sent again.',
  async run(readConfig, args) {
    const { bucket, families, isDryRun, workdir } = readWords(args)
    const config = readConfig(workdir)
    const fonts = machineFontsNow(config)()
    const installed = folderFonts([join(config.workdir, 'fonts')]).entries.map(({ family }) => family)
    const selected = families ?? [...new Set([...installed, ...bucketFamilies(fonts, shippedFonts())])]
    const indexed = isDryRun ? [] : await currentFiles(bucket)
    const folder = await mkdtemp(join(tmpdir(), 'platen-fonts-'))
    try {
      const files: BucketFile[] = []
      const uploads: { readonly key: string; readonly file: string }[] = []
      let size = 0
      const skipped = new Set<string>()
      for await (const { bytes, ...packed } of packFaces(fonts, selected, extract, (family) =>
        skipped.add(family),
      )) {
        files.push(packed)
        if (indexed.some(({ key, digest }) => key === packed.key && digest === packed.digest)) continue
        const file = join(folder, String(files.length))
        await writeFile(file, bytes)
        uploads.push({ key: packed.key, file })
        size += bytes.byteLength
      }
      for (const family of skipped) console.error(`Left out, because it is too large or damaged: ${family}`)
      const megabytes = (size / 1e6).toFixed(1)
      console.log(`${files.length} fonts, of which ${uploads.length} are new: ${megabytes} MB.`)
      if (isDryRun) for (const { key } of uploads) console.log(key)
      else await upload(bucket, { folder, uploads, index: indexedFiles(files, indexed, families) })
      return files.length > 0 ? 0 : 1
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** The files to list in the index: with `--family`, also those that it listed before. */
function indexedFiles(
  files: readonly BucketFile[],
  indexed: readonly BucketFile[],
  families: readonly string[] | undefined,
): readonly BucketFile[] {
  const keys = new Set(files.map(({ key }) => key))
  return families === undefined ? files : [...indexed.filter(({ key }) => !keys.has(key)), ...files]
}

function readWords(args: readonly string[]) {
  const text = { type: 'string' } as const
  const { positionals, values } = readCommandLine({
    args: [...args],
    allowPositionals: true,
    options: {
      to: text,
      bucket: { type: 'string', default: 'platen' },
      'persist-to': text,
      family: { type: 'string', multiple: true },
      'dry-run': { type: 'boolean', default: false },
      workdir: { type: 'string', short: 'w' },
    },
  })
  if (positionals.length !== 1 || positionals[0] !== 'sync')
    throw new UsageError('The only action is sync: platen fonts sync.')
  if (values.to !== 'remote' && values.to !== 'local' && !values['dry-run'])
    throw new UsageError('--to takes remote or local.')
  const folder = values['persist-to'] === undefined ? [] : ['--persist-to', values['persist-to']]
  const bucket: Bucket = { name: values.bucket, wranglerOptions: [`--${values.to}`, ...folder] }
  return { bucket, families: values.family, isDryRun: values['dry-run'], workdir: values.workdir }
}

/** Large fonts fill the memory of the subsetter, so each font gets a new instance. */
const extract: Extract = async (...request) => createInstancer(await loadSubsetter({})).extract(...request)

/** The files that the index of the bucket lists; none if it has no index. */
async function currentFiles({ name, wranglerOptions }: Bucket): Promise<readonly BucketFile[]> {
  const { code, stdout } = await wrangler([
    'r2',
    'object',
    'get',
    `${name}/${bucketIndexKey}`,
    '--pipe',
    ...wranglerOptions,
  ])
  return code === 0 ? readBucketIndex(stdout) : []
}

interface Upload {
  readonly folder: string // for temporary files
  readonly uploads: readonly { readonly key: string; readonly file: string }[]
  readonly index: readonly BucketFile[]
}

/** The index is uploaded last, after all files that it lists. */
async function upload({ name, wranglerOptions }: Bucket, { folder, uploads, index }: Upload): Promise<void> {
  const run = async (args: readonly string[]): Promise<void> => {
    const { code, stdout, stderr } = await wrangler([...args, ...wranglerOptions])
    if (code !== 0)
      throw new UsageError(
        `wrangler ${args.slice(0, 3).join(' ')} failed: ${(stderr || stdout).slice(0, 1000)}`,
      )
  }
  if (uploads.length > 0) {
    const list = join(folder, 'list.json')
    await writeFile(list, JSON.stringify(uploads))
    await run(['r2', 'bulk', 'put', name, '--filename', list])
  }
  const file = join(folder, 'index.json')
  await writeFile(file, writeBucketIndex(index))
  await run([
    'r2',
    'object',
    'put',
    `${name}/${bucketIndexKey}`,
    '--file',
    file,
    '--content-type',
    'application/json',
  ])
}
