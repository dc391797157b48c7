/**
 * Runs programs for a test process that is much larger than this one (`run-program.ts`): reads requests from one pipe and
 * writes what each program printed to another, until the test process ends.
 */
import { spawnSync } from 'node:child_process'
import { openSync, readSync, writeSync } from 'node:fs'
import { type ProgramAnswer, type ProgramRequest, readFrame, writeFrame } from './program-frames.ts'

const maxOutput = 2 ** 29

const [requestPath = '', answerPath = ''] = process.argv.slice(2)
const requests = openSync(requestPath, 'r')
const answers = openSync(answerPath, 'w')
writeFrame(answers, {})
for (let request = nextRequest(); request !== undefined; request = nextRequest()) {
  const { program, args, cwd, env } = request
  const { status, signal, error, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env,
    maxBuffer: maxOutput,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const failure = error?.message
  const sizes = [stdout?.length ?? 0, stderr?.length ?? 0] as const
  writeFrame(answers, { status, signal, failure, sizes } satisfies ProgramAnswer)
  for (const output of [stdout, stderr])
    for (let at = 0; at < (output?.length ?? 0); ) at += writeSync(answers, output, at)
}

function nextRequest(): ProgramRequest | undefined {
  return readFrame((bytes, at) => readSync(requests, bytes, at, bytes.length - at, null))
}
