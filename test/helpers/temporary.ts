import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

/** A folder for the tests of one file: each call of the function returned is a path in it that is not used yet. */
export function useTemporary(): (name?: string) => string {
  let folder = ''
  let count = 0
  beforeAll(() => {
    folder = temporaryFolder('platen-test')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return (name = '') => {
    if (folder === '') throw new Error('Folders are there only once the tests run: ask in a test or a hook.')
    return join(folder, String(count++), name)
  }
}

/** Closes what the tests of one file opened, the last one first. */
export function useClosing(): <T extends { close?(): unknown }>(opened: T) => T {
  const all: { close?(): unknown }[] = []
  afterAll(async () => {
    for (const each of all.reverse()) await each.close?.()
  })
  return (opened) => {
    all.push(opened)
    return opened
  }
}
