import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { platen } from '../../helpers/platen-cli.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()

describe('platen lint and platen schema', () => {
  let folder = ''
  const file = (name: string) => join(folder, name)

  beforeAll(async () => {
    folder = temporary()
    await mkdir(folder)
    await writeFile(file('good.html'), '<p>{d.name} {d.total:formatC}</p>')
    await writeFile(file('bad.html'), '<p>{d.a:upercase}</p><p>{d.l[i].n}</p>')
    await writeFile(file('data.json'), '{"name":"Ann"}')
  })

  it('a valid template: exit code 0, and the fields that the data lacks', async () => {
    const { code, out } = await platen(folder, 'lint', file('good.html'), file('data.json'))
    expect([code, out]).toEqual([
      0,
      'warning: d.total is not in the data: its tags print nothing. (d.total)\n0 errors, 1 warning',
    ])
  })

  it('a template with errors: exit code 1, each problem with its position and what to do', async () => {
    const { code, out } = await platen(folder, 'lint', file('bad.html'))
    expect(code).toBe(1)
    expect(out.split('\n')).toEqual([
      'error: Formatter "upercase" does not exist. Do you mean "upperCase"?',
      '  in html, line 1: {d.a:upercase}',
      'error: The marker {d.l[i].n} has no corresponding [i+1] for array "l".',
      '  in html, line 1: {d.l[i].n}',
      '  Write {d.l[i+1]} where the next item begins, in the same section of the document.',
      '2 errors, 0 warnings',
    ])
  })

  it('--json for programs', async () => {
    const { out } = await platen(folder, 'lint', file('bad.html'), '--json')
    expect(JSON.parse(out).errors).toHaveLength(2)
  })

  it('schema and sample are printed as JSON', async () => {
    const { code, out } = await platen(folder, 'schema', file('good.html'))
    expect([code, JSON.parse(out).schema.required]).toEqual([0, ['name', 'total']])
    const sample = await platen(folder, 'schema', file('good.html'), '--sample')
    expect(JSON.parse(sample.out)).toEqual({ name: 'Name', total: 100.5 })
  })

  it('without a template: how it is used, exit code 2', async () => {
    const { code, err } = await platen(folder, 'lint')
    expect([code, err]).toEqual([2, expect.stringContaining('platen lint --help')])
  })
})
