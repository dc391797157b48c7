import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { environmentName, options } from '../../../origin/config.ts'

const root = new URL('../../..', import.meta.url).pathname
const folder = join(root, 'origin/deploy')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const run = promisify(execFile)

describe('files for operators', () => {
  it.each(readdirSync(folder))('%s names settings that exist', (name) => {
    const known = Object.keys(options).map(environmentName)
    const named = read(name).match(/\bSERVICE_[A-Z_]*[A-Z]\b/g) ?? []
    expect(named.filter((one) => !known.includes(one))).toEqual([])
  })

  it('the image copies files that exist, and runs as a user without privileges', () => {
    const file = read('Dockerfile')
    const copied = [...file.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    )
    expect(copied.length).toBeGreaterThan(2)
    for (const name of copied) expect([name, existsSync(join(root, name))]).toEqual([name, true])
    for (const [path] of file.matchAll(/origin\/[\w/.-]+\.(?:mjs|ts)/g))
      expect([path, existsSync(join(root, path))]).toEqual([path, true])
    const user = file.lastIndexOf('\nUSER platen')
    expect(user).toBeGreaterThan(file.lastIndexOf('\nRUN '))
    expect(file).toContain('\nHEALTHCHECK ')
    const kept = read('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
    for (const line of kept) expect([line, existsSync(join(root, line.slice(1)))]).toEqual([line, true])
  })

  it('both steps of the set-up of an image run, and end at once where nothing is missing', async () => {
    const step = (name: string) =>
      run(process.execPath, [join(root, 'origin/setup/image.mjs'), name], { cwd: root }).then(
        () => 0,
        (error: { code: number }) => error.code,
      )
    expect(await step('unknown')).toBe(1)
  })

  it('systemd accepts the unit', async () => {
    const lines = read('platen.service').split('\n')
    const other = lines.filter((line) => !/^(?:$|#.*|\[(?:Unit|Service|Install)\]|[A-Z]\w+=.*)$/.test(line))
    expect(other).toEqual([])
    const args = ['verify', '--man=no', join(folder, 'platen.service')]
    const { stderr } = await run('systemd-analyze', args).catch((error: { stderr: string }) => error)
    // The program is not at its place here.
    const complaints = stderr.split('\n').filter((line) => /platen\.service:\d+:/.test(line))
    expect(complaints).toEqual([])
  })

  it('the dashboard draws figures that the service has', () => {
    const { panels } = JSON.parse(read('grafana.json')) as { panels: { targets: { expr: string }[] }[] }
    const served = ['metrics.ts', 'processes/report.ts'].map((name) =>
      readFileSync(join(root, 'origin', name), 'utf8'),
    )
    served.push(readFileSync(join(root, 'shared/services/record-gauges.ts'), 'utf8'))
    const words = new Set(served.join('\n').match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g))
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    expect(expressions.length).toBeGreaterThan(10)
    for (const expression of expressions) {
      const names = (expression.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g) ?? []).filter(
        (name) => name !== 'histogram_quantile',
      )
      for (const name of names) expect([name, words.has(name.replace(/_bucket$/, ''))]).toEqual([name, true])
    }
  })

  it.each(['compose.yaml', 'compose.cluster.yaml', 'kubernetes.yaml'])(
    '%s asks for paths and ports of the image',
    (name) => {
      const text = read(name)
      expect(text).not.toContain('\t')
      expect(text).toContain('4000')
      expect(text).toMatch(/cap_drop: \[ALL\]|drop: \[ALL\]/)
    },
  )
})
