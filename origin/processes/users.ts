import { randomInt } from 'node:crypto'

/**
 * Numbers of users that nobody has: between those of systemd-homed and those that systemd gives to services for a time
 * (systemd, UIDS-GIDS), and below 65,536, which is all that a container with users of its own knows.
 */
const first = 60_578
const count = 606

export interface Users {
  /** A number that no other process of this service runs as. Throws when all are taken. */
  take(): number
  giveBack(user: number): void
}

/**
 * One user for each program: the files and the memory of one are out of reach for all others. Two services on one
 * machine begin at random places, so that they rarely take the same number at the same time.
 */
export function createUsers(): Users {
  const taken = new Set<number>()
  let next = randomInt(count)
  return {
    take() {
      for (let tries = 0; tries < count; tries++) {
        const user = first + next
        next = (next + 1) % count
        if (taken.has(user)) continue
        taken.add(user)
        return user
      }
      throw new Error('Too many programs run at once: none of the users set aside for them is free.')
    },
    giveBack(user) {
      taken.delete(user)
    },
  }
}
