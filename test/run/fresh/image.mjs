/**
 * Makes the image of a Dockerfile without Docker: each stage is a root that debootstrap made, and each instruction does there
 * what a builder would do, so that every `RUN` line is proven.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { instructionsOf, pairsOf, wordsOf } from './dockerfile.mjs'

/**
 * Returns `{ root, env, workdir, user, command, healthcheck, remove }` of the last stage. `base(image)` is the root that a
 * stage begins with, `context` the folder to copy from, `given` the build arguments, and `execute(root, script)` runs a shell
 * script as root in a root and returns whether it succeeded.
 */
export function makeImage(file, { context, given, base, copyRoot, execute, say }) {
  const stages = new Map()
  let stage
  for (const { name, text } of instructionsOf(file)) {
    say(`${name} ${text}`.slice(0, 150))
    const inStage = (command) => {
      const set = Object.entries({ ...stage.args, ...stage.env }).map(
        ([key, value]) => `export ${key}=${quoted(value)}`,
      )
      return execute(stage.root, [...set, `cd ${quoted(stage.workdir)}`, command].join('\n'))
    }
    const place = (path) => (path.startsWith('/') ? path : join(stage.workdir, path))
    switch (name) {
      case 'FROM': {
        const [image, , alias] = wordsOf(text)
        stage = { root: copyRoot(base(image)), env: {}, args: {}, workdir: '/', user: 'root' }
        stages.set(alias ?? 'last', stage)
        break
      }
      case 'ARG': {
        const [key, fallback = ''] = text.split('=')
        stage.args[key] = given[key] ?? fallback
        break
      }
      case 'ENV':
        Object.assign(stage.env, Object.fromEntries(pairsOf(text)))
        break
      case 'WORKDIR':
        stage.workdir = text
        mkdirSync(join(stage.root, text), { recursive: true })
        break
      case 'COPY': {
        const [, from] = /^--from=(\S+) /.exec(text) ?? []
        const paths = wordsOf(text).filter((word) => !word.startsWith('--'))
        const to = paths.pop()
        for (const path of paths)
          copy(
            join(from === undefined ? context : stages.get(from).root, path),
            join(stage.root, place(to)),
            to,
          )
        break
      }
      case 'RUN':
        if (!inStage(text)) throw new Error(`This instruction fails: RUN ${text}`)
        break
      case 'USER':
        stage.user = text
        break
      case 'CMD':
        stage.command = wordsOf(text)
        break
      case 'HEALTHCHECK':
        stage.healthcheck = JSON.parse(/CMD\s+(\[.*\])/.exec(text)[1])
        break
      case 'VOLUME':
      case 'EXPOSE':
        break
      default:
        throw new Error(`An instruction that is not understood here: ${name}`)
    }
  }
  const { root: last } = stage
  for (const { root } of stages.values()) if (root !== last) rmSync(root, { recursive: true, force: true })
  return stage
}

/** As COPY does: the content of a folder goes into the target, a file to the target or into it. */
function copy(from, to, named) {
  const isFolder = statSync(from).isDirectory()
  const target =
    !isFolder && (/\/$|^\.$/.test(named) || (existsSync(to) && statSync(to).isDirectory()))
      ? join(to, basename(from))
      : to
  mkdirSync(isFolder ? target : dirname(target), { recursive: true })
  cpSync(from, target, { recursive: true, verbatimSymlinks: true, force: true })
}

/** Removes from a folder what `.dockerignore` keeps out: everything but the paths that it names after `!`. */
export function applyIgnore(folder, ignore) {
  const kept = ignore.split('\n').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
  const walk = (path) => {
    for (const entry of readdirSync(join(folder, path))) {
      const inner = path === '' ? entry : `${path}/${entry}`
      if (kept.some((one) => one === inner || inner.startsWith(`${one}/`))) continue
      if (kept.some((one) => one.startsWith(`${inner}/`))) walk(inner)
      else rmSync(join(folder, inner), { recursive: true, force: true })
    }
  }
  walk('')
}

export const quoted = (text) => `'${String(text).replaceAll("'", String.raw`'\''`)}'`
