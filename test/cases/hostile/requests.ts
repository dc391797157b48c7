/** Everything hostile there is, as requests to a host without offices and browsers. */
import { spoilers } from '../../helpers/bad-files.ts'
import { openFile } from '../reference/open.ts'
import { wordFile } from '../reference/word.ts'
import { attacks } from './attacks.ts'
import { asked, fixture, others, rubbish, sealed } from './conversions.ts'
import { hostileOpen } from './open.ts'
import { hostileWord } from './word.ts'

export interface HostileFile {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly engine: 'I' | undefined // undefined: any
  readonly make: () => Uint8Array | string | Promise<Uint8Array | string>
}

/** Files that lie, for each output that is asked of them, by engine I or any other that computes. */
function attackFiles(): readonly HostileFile[] {
  return attacks.flatMap(({ name, from, to, source }) => {
    const pairs = new Map(
      [...to, ['pdf', 'I'] as const].map(([format, letter]) => {
        const engine = letter === 'I' ? letter : undefined
        return [`${format} ${engine}`, { format, engine }] as const
      }),
    )
    return [...pairs.values()].map(
      ({ format, engine }): HostileFile => ({ name, from, to: format, engine, make: source }),
    )
  })
}

export const hostileFiles: readonly HostileFile[] = [
  ...Object.entries(hostileWord).map(
    ([name, sample]): HostileFile => ({ name, from: 'docx', to: 'pdf', engine: 'I', make: () => wordFile(sample) }),
  ),
  ...Object.entries(hostileOpen).map(
    ([name, sample]): HostileFile => ({ name, from: 'odt', to: 'pdf', engine: 'I', make: () => openFile(sample) }),
  ),
  ...attackFiles(),
  { name: 'nothing of any kind', from: 'docx', to: 'pdf', engine: undefined, make: () => rubbish },
]

const bytesOf = (file: Uint8Array | string) => (typeof file === 'string' ? new TextEncoder().encode(file) : file)

/** Good files that were spoilt, are of another type, or have a password. */
export const spoiltFiles: readonly HostileFile[] = asked.flatMap(({ from, to, letter, source }) => {
  const pair = { from, to, engine: letter === 'I' ? letter : undefined } as const
  const locked = sealed[from]
  return [
    ...spoilers.map(([name, spoil]) => ({ ...pair, name, make: () => spoil(bytesOf(source())) })),
    ...Object.entries(others)
      .filter(([kind]) => kind !== from)
      .map(([kind, make]) => ({ ...pair, name: `a file that is ${kind}`, make })),
    ...(locked === undefined ? [] : [{ ...pair, name: 'a file with a password', make: () => fixture(locked) }]),
  ]
})

/** The body of a render, with data or without: then the file is converted only. */
export async function bodyOf(
  { from, to, engine, make }: HostileFile,
  isMerged: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  // A PDF that stays one is only opened where something is done to it.
  const convertTo = from === to ? { formatName: to, formatOptions: { Watermark: 'DRAFT' } } : to
  const template = Buffer.from(bytesOf(await make())).toString('base64')
  const body = { ...(isMerged && { data: {} }), template, fileType: from, convertTo, ...(engine && { converter: engine }) }
  return new TextEncoder().encode(JSON.stringify(body))
}
