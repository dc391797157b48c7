import type { OriginServices } from '../services.ts'
import { missingPackages } from '../setup/system-packages.mjs'
import type { ServiceCommand } from './command.ts'
import { readFlags } from './flags.ts'

/**
 * Lists which engines, packages and conversions work on this machine. Exit code 1 when a required engine is
 * unavailable.
 */
export const doctor: ServiceCommand = {
  usage: 'platen doctor [--json]',
  summary: 'Checks which engines and packages this machine has, and which conversions are unavailable.',
  async run(services, args) {
    const { json } = readFlags(args, { json: { type: 'boolean', default: false } })
    await services.converter.warm()
    const examination = await examined(services)
    if (json) console.log(JSON.stringify(examination, null, 2))
    else print(examination)
    return examination.engines.every(({ ok, optional }) => ok || optional === true) ? 0 : 1
  },
}

/** Examines this machine; `--json` prints the result. */
async function examined(services: OriginServices) {
  const health = await services.converter.health()
  const engines = await Promise.all(
    health.map(async (engine) => ({ ...engine, isolation: await services.isolation.of(engine.id) })),
  )
  const pairs = services.converter.conversions()
  return {
    version: services.settings.version,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    engines,
    missing: missingPackages(['service']).map(({ name, off }) => ({ name, off })),
    conversions: pairs.length,
    sources: new Set(pairs.map(({ from }) => from)).size,
  }
}

function print(examination: Awaited<ReturnType<typeof examined>>): void {
  const { engines, missing } = examination
  console.log(`platen ${examination.version}, Node ${examination.node}, ${examination.platform}`)
  console.log(
    '\nEngines. Callers choose one by its letter; those without a letter are used where a conversion needs them.',
  )
  const byLetter = engines.toSorted((a, b) => Number(a.letter === undefined) - Number(b.letter === undefined))
  for (const { title, letter, ok, because, using } of byLetter) {
    console.log(
      `${ok ? 'ok     ' : 'OFF    '} ${letter === undefined ? ' ' : letter} ${title}${ok ? (using === undefined ? '' : `: ${using}`) : `: ${because}`}`,
    )
  }
  console.log('\nIsolation of the programs that read documents.')
  for (const { title, isolation } of engines)
    if (isolation !== undefined) console.log(`${title}: ${isolation}`)
  if (missing.length > 0) console.log('\nMissing packages, and what does not work without them.')
  for (const { name, off } of missing) console.log(`${name}: ${off}`)
  console.log(
    `\n${examination.conversions} direct conversions from ${examination.sources} formats. GET /conversions lists them.`,
  )
}
