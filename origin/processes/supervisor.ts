/**
 * Keeps programs running for engines. It receives a Program, which can boot a unit, and returns a Pool, which
 * runs jobs on several units. Each unit is a process group. Read `pool.ts` next; `member.ts` is the pool's
 * state of one unit.
 */
import type { Log } from '../../shared/plugin/contract.ts'
import type { Pool, Program, ProgramUnit, Supervise } from '../../shared/plugin/processes.ts'
import { ProcessPool } from './pool.ts'

export interface SupervisorParts {
  readonly log: Log
  readonly now: () => number // ms since the epoch
}

export interface Supervisor {
  readonly supervise: Supervise
  /** Stops every pool that `supervise` returned. */
  stop(): Promise<void>
}

export function createSupervisor(parts: SupervisorParts): Supervisor {
  const pools = new Set<{ stop(): Promise<void> }>()
  return {
    supervise<Unit extends ProgramUnit>(program: Program<Unit>): Pool<Unit> {
      const pool = new ProcessPool(program, parts)
      pools.add(pool)
      return pool
    },
    async stop() {
      await Promise.all([...pools].map((pool) => pool.stop()))
    },
  }
}
