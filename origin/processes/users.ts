import { randomInt } from 'node:crypto'

/**
 * The first of `count` user IDs that no account has. They are between the ranges of systemd-homed and of
 * systemd's dynamic users (systemd, UIDS-GIDS), and below 65,536, the limit in containers with a user
 * namespace.
 */
const first = 60_578
const count = 606

/** Whether programs of a service on this machine may run as a user. */
export const isProgramUser = (user: number): boolean => user >= first && user < first + count

export interface Users {
  /** A user ID that no other program of this service runs as. Throws when all are in use. */
  take(): number
  /** Makes a user ID available again. Call it when no process runs as that user. */
  giveBack(user: number): void
}

/**
 * Assigns a user ID to each program, so that programs cannot access each other's files and memory. The first
 * ID is random, so that two services on one machine rarely use the same one at the same time.
 */
export function createUsers(): Users {
  const usedIds = new Set<number>()
  let offset = randomInt(count)
  return {
    take() {
      for (let tries = 0; tries < count; tries++) {
        const user = first + offset
        offset = (offset + 1) % count
        if (usedIds.has(user)) continue
        usedIds.add(user)
        return user
      }
      throw new Error('Too many programs run at once: none of the users set aside for them is free.')
    },
    giveBack(user) {
      usedIds.delete(user)
    },
  }
}
