/**
 * The render scope: the values that one render stores for its computed tokens. A plan is shared by all renders and contains
 * no render state. A token that has to remember something (a colour that its tag set, the next free number, the rows written
 * so far) therefore stores it here, under a key that was created when the template was opened.
 */

/**
 * Names one value of a render and declares its type. Keys are compared by identity, not by name: two tokens of one kind have
 * separate keys. `name` is used in messages and dumps.
 */
export interface ScopeKey<Value> {
  readonly name: string
  /** Carries the type of the value and is never set. The function type keeps keys of different types apart. */
  readonly holds?: (value: Value) => Value
}

/** Creates a key. Each call creates a different one, whatever the name. */
export const scopeKey = <Value>(name: string): ScopeKey<Value> => ({ name })

/** Values by key. All parts of a render share one scope; a copy of a sheet or a slide has a few values of its own. */
export class RenderScope {
  readonly #values = new Map<object, unknown>()
  readonly #parent: RenderScope | undefined
  /** Keys whose values belong to this scope and not to its parent. Unused without a parent. */
  readonly #localKeys: ReadonlySet<object>

  constructor(parent?: RenderScope, localKeys: ReadonlySet<object> = noKeys) {
    this.#parent = parent
    this.#localKeys = localKeys
  }

  get<Value>(key: ScopeKey<Value>): Value | undefined {
    // Computed tokens of a large sheet read the scope several times for each cell.
    const values = this.#parent === undefined ? this.#values : this.#home(key)
    return values.get(key) as Value | undefined
  }

  /**
   * The value of a key that an earlier token has set. Throws if there is none, because the plan then runs in the wrong order,
   * which is a defect.
   */
  require<Value>(key: ScopeKey<Value>): Value {
    const value = this.get(key)
    if (value === undefined) throw new Error(`The render scope has no ${key.name} yet.`)
    return value
  }

  /** The value of a key, created by `make` if there is none. */
  obtain<Value>(key: ScopeKey<Value>, make: () => Value): Value {
    const values = this.#home(key)
    let value = values.get(key) as Value | undefined
    if (value === undefined) values.set(key, (value = make()))
    return value
  }

  set<Value>(key: ScopeKey<Value>, value: Value): void {
    this.#home(key).set(key, value)
  }

  has<Value>(key: ScopeKey<Value>): boolean {
    return this.#home(key).has(key)
  }

  delete<Value>(key: ScopeKey<Value>): void {
    this.#home(key).delete(key)
  }

  /** A scope for one copy of a part. It has values of its own for `localKeys` and shares all others with this scope. */
  copy(localKeys: ReadonlySet<object>): RenderScope {
    return new RenderScope(this, localKeys)
  }

  #home(key: object): Map<object, unknown> {
    return this.#parent === undefined || this.#localKeys.has(key) ? this.#values : this.#parent.#home(key)
  }
}

const noKeys: ReadonlySet<object> = new Set()

/** Set in a render whose sheets write the reference of every cell, even where readers could infer it. */
export const addressed = scopeKey<true>('references for all cells')
