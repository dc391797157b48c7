import { spawnSync } from 'node:child_process'

/** Whether this machine lets the tests mount a file system of their own. A container usually does not. */
export function canMount(): boolean {
  return spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0
}

/** Whether this machine lets the tests make namespaces, as the full isolation of an engine does. A container usually does not. */
export function canMakeNamespaces(): boolean {
  return spawnSync('unshare', ['--net', '--pid', '--fork', 'true']).status === 0
}
