/**
 * Keeps programs running for engines. It receives a Program, which can boot a unit, and returns a Pool, which
 * runs jobs on several units. Each unit is a process group. Read `pool.ts` next; `member.ts` is the pool's
 * state of one unit.
 */

import type { Pool, PoolStats, Program, ProgramUnit, Supervise } from '../../shared/plugin/processes.ts'
import type { Log } from '../../shared/plugin/values.ts'
import { ProcessPool } from './pool.ts'

export interface SupervisorParts {
  readonly log: Log
  readonly now: () => number // ms since the epoch
  readonly warmsUp: boolean // whether units run their warm-up jobs
}

export interface Supervisor {
  readonly supervise: Supervise
  /** The state of all pools by the name of their program; pools of one program are added up. */
  stats(): ReadonlyMap<string, Pick<PoolStats, 'ready' | 'busy' | 'waiting' | 'restarts'>>
  /** Stops every pool that `supervise` returned. */
  stop(): Promise<void>
}

export function createSupervisor(parts: SupervisorParts): Supervisor {
  const pools = new Set<{ readonly name: string; stats(): PoolStats; stop(): Promise<void> }>()
  return {
    supervise<Unit extends ProgramUnit>(program: Program<Unit>): Pool<Unit> {
      const pool = new ProcessPool(program, parts)
      pools.add({ name: program.name, stats: () => pool.stats(), stop: () => pool.stop() })
      return pool
    },
    stats() {
      const totals = new Map<string, Pick<PoolStats, 'ready' | 'busy' | 'waiting' | 'restarts'>>()
      for (const { name, stats } of pools) {
        const { ready, busy, waiting, restarts } = stats()
        const sum = totals.get(name) ?? { ready: 0, busy: 0, waiting: 0, restarts: 0 }
        totals.set(name, {
          ready: sum.ready + ready,
          busy: sum.busy + busy,
          waiting: sum.waiting + waiting,
          restarts: sum.restarts + restarts,
        })
      }
      return totals
    },
    async stop() {
      await Promise.all([...pools].map((pool) => pool.stop()))
    },
  }
}
