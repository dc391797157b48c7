import type { EnginePlugin } from '../../shared/plugin/contract.ts'
import type { Gauge } from '../metrics.ts'
import type { Confinement } from './confine.ts'
import type { Trial } from './trial.ts'

type Programs = Pick<EnginePlugin, 'id' | 'title' | 'programs'>

/**
 * Describes how the programs of an engine are isolated: 'a user of its own, no network, no files of others'.
 */
export function isolationText(trial: Trial | undefined, programs: EnginePlugin['programs']): string {
  if (trial === undefined) return 'not known yet; no program starts before it is'
  if ('refused' in trial) return `impossible, so that nothing is started: ${trial.refused}`
  const { user, network, files, sandbox } = trial.isolation
  const parts = [
    user === 'own' ? 'a user of its own' : 'the user of the service',
    network ? 'no network' : 'THE NETWORK OF THE SERVICE',
    files ? 'no files of others' : 'ALL FILES THAT THIS USER MAY READ',
    ...(programs === 'browser' ? [sandbox ? 'its own sandbox' : 'without its own sandbox'] : []),
  ]
  return parts.join(', ')
}

/**
 * The line about isolation that the service prints when it starts. Engines with the same isolation share a
 * text.
 */
export function isolationLine({ policy, lastResult }: Confinement, engines: readonly Programs[]): string {
  const texts = new Map<string, string[]>()
  for (const { title, programs } of engines) {
    if (programs === undefined) continue
    const text = isolationText(lastResult(), programs)
    texts.set(text, [...(texts.get(text) ?? []), title])
  }
  const lines = [...texts].map(([text, titles]) => `${titles.join(', ')}: ${text}`)
  return `Isolation of engines (${policy}). ${lines.join('. ')}.`
}

/**
 * A gauge with one value for each engine and restriction of its programs: 1 if the trial has shown that it
 * works, 0 if it does not or if there is no result yet.
 */
export function isolationGauge({ lastResult }: Confinement, engines: readonly Programs[]): Gauge {
  const trial = lastResult()
  const isolation = trial !== undefined && 'isolation' in trial ? trial.isolation : undefined
  const value = engines.flatMap(({ id, programs }) => {
    if (programs === undefined) return []
    const fences = {
      user: isolation !== undefined,
      network: isolation?.network === true,
      files: isolation?.files === true,
      ...(programs === 'browser' && { sandbox: isolation?.sandbox === true }),
    }
    return Object.entries(fences).map(([fence, works]) => ({
      labels: { engine: id, fence },
      value: works ? 1 : 0,
    }))
  })
  return {
    name: 'engine_isolation',
    help: 'Barriers around the programs of an engine, checked by a trial: 1 is in place, 0 is missing.',
    value,
  }
}
