import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { kill } from './kill.ts'
import { processesBelow } from './processes.ts'

const helper = new URL('tied-process.ts', import.meta.url).href

it.runIf(process.platform === 'linux')(
  'a tied program ends with its starter, also when that is killed',
  async () => {
    const script = `import { spawnTied } from '${helper}'; spawnTied('sleep', ['86471'], { stdio: 'ignore' })
    console.log('started'); setInterval(() => {}, 1000)`
    const starter = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(starter.stdout, 'data')
    const sleeping = () => processesBelow(1).filter(({ args }) => args.endsWith('sleep 86471'))
    await expect.poll(sleeping).toHaveLength(1)
    kill(starter.pid)
    await expect.poll(sleeping).toEqual([])
  },
)
