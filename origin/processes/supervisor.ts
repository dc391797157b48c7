/**
 * Keeps programs running for engines: a pool of units per program, each a process group. In: a Program that can boot
 * one. Out: a Pool that runs jobs on them. Read `pool.ts` next; `member.ts` is one unit seen from the pool.
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
  /** Ends every pool that was handed out. */
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
