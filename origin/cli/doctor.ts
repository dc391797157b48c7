import { missingPackages } from '../setup/system-packages.mjs'
import type { ServiceCommand } from './command.ts'
import { readFlags } from './flags.ts'

/**
 * Lists which engines, packages and conversions work on this machine. Exit code 1 when a required engine is
 * unavailable.
 */
export const doctor: ServiceCommand = {
  usage: 'platen doctor',
  says: 'Tells which engines and packages this machine has and which conversions are off.',
  async run(services, args) {
    readFlags(args, {})
    console.log(
      `platen ${services.settings.version}, Node ${process.version}, ${process.platform} ${process.arch}`,
    )
    await services.converter.warm()
    const engines = await services.converter.health()
    for (const { title, letter, ok, because, using } of engines) {
      console.log(
        `${ok ? 'ok     ' : 'OFF    '} ${letter === undefined ? ' ' : letter} ${title}${ok ? (using === undefined ? '' : `: ${using}`) : `: ${because}`}`,
      )
    }
    for (const { id, title } of engines) {
      const isolation = await services.isolation.of(id)
      if (isolation !== undefined) console.log(`isolation  ${title}: ${isolation}`)
    }
    const missing = missingPackages(['service'])
    for (const { name, off } of missing) console.log(`missing  ${name}: ${off}`)
    const pairs = services.converter.arrows()
    const sources = new Set(pairs.map((arrow) => arrow.from))
    console.log(
      `${pairs.length} direct conversions from ${sources.size} formats. GET /conversions lists them.`,
    )
    return engines.every(({ ok, optional }) => ok || optional === true) ? 0 : 1
  },
}
