import type { Client } from './plugin/values.ts'

/**
 * A waiting line that is fair to accounts: they alternate, and the items of one account keep their order of arrival.
 * Work whose caller waits for an answer has a lane of its own, so that background work is never in front of all of it.
 */
export interface FairLine<T> {
  /** Adds an item at the end of its account's line; `first` at the front, for an item that was taken before. */
  add(item: T, client?: Client, first?: boolean): void
  /**
   * Removes and returns the next item. `admits` is called with each account: items of an account that it refuses stay
   * in the line. Returns undefined when no remaining item may be taken.
   */
  take(admits?: (account: string) => boolean): T | undefined
  /** Removes an item. Returns false when it does not wait. */
  remove(item: T): boolean
  /** The number of waiting items: all, those of a lane, or those of one account in that lane. */
  count(client?: Pick<Client, 'background'> & { readonly account?: string }): number
  items(): readonly T[]
}

/**
 * While both lanes wait, one item of so many is taken from the background lane. Its work would otherwise never begin
 * on a host whose callers keep it busy.
 */
const backgroundEvery = 4

/** The items of a lane by account. The order of the accounts is the order of their next turns. */
type Lane<T> = Map<string, T[]>

export function createFairLine<T>(): FairLine<T> {
  const foreground: Lane<T> = new Map()
  const background: Lane<T> = new Map()
  /** Items taken from the foreground since the last one of the background. */
  let streak = 0
  const lanes = [foreground, background]
  const laneOf = (client: Pick<Client, 'background'>) =>
    client.background === true ? background : foreground

  function takeFrom(lane: Lane<T>, admits: (account: string) => boolean): T | undefined {
    for (const [account, items] of lane) {
      if (!admits(account)) continue
      const item = items.shift()
      // The account goes to the end of the rotation, or leaves it.
      lane.delete(account)
      if (items.length > 0) lane.set(account, items)
      return item
    }
    return undefined
  }

  return {
    add(item, client = anybody, first = false) {
      const lane = laneOf(client)
      const items = lane.get(client.account)
      if (items === undefined) lane.set(client.account, [item])
      else if (first) items.unshift(item)
      else items.push(item)
    },
    take(admits = () => true) {
      const isBackgroundsTurn = streak >= backgroundEvery - 1
      for (const lane of isBackgroundsTurn ? [background, foreground] : lanes) {
        const item = takeFrom(lane, admits)
        if (item === undefined) continue
        streak = lane === foreground && background.size > 0 ? streak + 1 : 0
        return item
      }
      return undefined
    },
    remove(item) {
      for (const lane of lanes) {
        for (const [account, items] of lane) {
          const at = items.indexOf(item)
          if (at === -1) continue
          items.splice(at, 1)
          if (items.length === 0) lane.delete(account)
          return true
        }
      }
      return false
    },
    count(of) {
      const counted = of === undefined ? lanes : [laneOf(of)]
      const perAccount = of?.account
      return counted
        .flatMap((lane) => (perAccount === undefined ? [...lane.values()] : [lane.get(perAccount) ?? []]))
        .reduce((sum, items) => sum + items.length, 0)
    },
    items: () => lanes.flatMap((lane) => [...lane.values()].flat()),
  }
}

/** Work that no account is known for, such as that of the command line. */
const anybody: Client = { account: '' }
