import { describe, expect, it } from 'vitest'
import { diffText } from '../../shared/text-diff.ts'

const short = { same: '=', removed: '-', added: '+' } as const
const shown = async (from: string, to: string) =>
  (await diffText(from, to)).map(({ kind, text }) => `${short[kind]}${text}`)

describe('differences of texts', () => {
  it.each([
    ['', '', []],
    ['same', 'same', ['=same']],
    ['', 'new', ['+new']],
    ['old', '', ['-old']],
    ['Dear {d.name},', 'Dear {d.name:upperCase},', ['=Dear ', '-{d.name}', '+{d.name:upperCase}', '=,']],
    ['a\nb\nc\n', 'a\nx\nc\n', ['=a\n', '-b', '+x', '=\nc\n']],
    ['one two three', 'one three', ['=one ', '-two ', '=three']],
    ['Grüße, Jürgen', 'Grüße, Zoë', ['=Grüße, ', '-Jürgen', '+Zoë']],
  ] as const)('%j and %j', async (from, to, changes) => {
    expect(await shown(from, to)).toEqual(changes)
  })

  it('both texts can be restored from a difference', async () => {
    // A fixed sequence: the same pairs in each run.
    let seed = 7
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    const text = () => Array.from({ length: random(40) }, () => 'ab{ \n}'[random(6)]).join('')
    for (let pair = 0; pair < 2000; pair++) {
      const [from, to] = [text(), text()]
      const changes = await diffText(from, to)
      const joined = (without: string) =>
        changes.flatMap(({ kind, text: part }) => (kind === without ? [] : part)).join('')
      expect([joined('added'), joined('removed')]).toEqual([from, to])
    }
  })

  it('what differs throughout is replaced as a whole, in bounded time', async () => {
    const lines = (mark: string) => Array.from({ length: 30_000 }, (_, at) => `${mark}${at}\n`).join('')
    const before = process.cpuUsage()
    expect((await diffText(lines('a'), lines('b'))).length).toBeLessThan(100)
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(5)
  })
  it('others run while many lines of many words are compared', async () => {
    const lines = (mark: string) =>
      Array.from({ length: 600 }, (_, line) =>
        line % 2 === 0
          ? `same ${line}\n`
          : `${Array.from({ length: 120 }, (_, at) => mark + line + at).join(' ')}\n`,
      ).join('')
    let turns = 0
    const turning = setInterval(() => turns++)
    await diffText(lines('a'), lines('b'))
    clearInterval(turning)
    expect(turns).toBeGreaterThan(3)
  })
})
