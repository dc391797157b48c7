import { describe, expect, it } from 'vitest'
import { RenderScope, scopeKey } from '../../../shared/template/scope.ts'

describe('a render scope', () => {
  it('keeps values by key, not by name', () => {
    const [a, b] = [scopeKey<number>('count'), scopeKey<number>('count')]
    const scope = new RenderScope()
    scope.set(a, 1)
    expect([scope.get(a), scope.get(b), scope.has(a), scope.has(b)]).toEqual([1, undefined, true, false])
    scope.delete(a)
    expect(scope.has(a)).toBe(false)
  })

  it('makes a value once', () => {
    const key = scopeKey<string[]>('list')
    const scope = new RenderScope()
    scope.obtain(key, () => []).push('a')
    scope.obtain(key, () => ['x']).push('b')
    expect(scope.require(key)).toEqual(['a', 'b'])
  })

  it('names the missing value', () =>
    expect(() => new RenderScope().require(scopeKey('layout'))).toThrow(
      'The render scope has no layout yet.',
    ))

  it('a copy has a few values of its own and shares the others', () => {
    const [own, common] = [scopeKey<number>('own'), scopeKey<number>('common')]
    const scope = new RenderScope()
    scope.set(own, 1)
    const copy = scope.copy(new Set([own]))
    expect(copy.get(own)).toBeUndefined()
    copy.set(own, 2)
    copy.set(common, 3)
    expect([scope.get(own), copy.get(own), scope.get(common)]).toEqual([1, 2, 3])
  })
})
