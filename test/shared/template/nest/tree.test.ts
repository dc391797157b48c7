import { describe, expect, it } from 'vitest'
import { dumpTree } from '../../../../shared/template/dump.ts'
import { treeOf } from '../../../helpers/compile.ts'

describe('the tree of elements', () => {
  it('holds elements with the tokens they take, and tags', () =>
    expect(dumpTree(treeOf('<t a="{d.a}"><r><c/>x{d.v}</r></t>'))).toEqual([
      '  t 0..9',
      '    {d.a} 1',
      '    r 3..8',
      '      c 4..5',
      '      {d.v} 6',
    ]))

  it('answers for parents, ends, names and children', () => {
    const tree = treeOf('<t><r><c/>{d.v}</r><r/></t>')
    // 0 t, 1 r, 2 c, 3 tag, 4 /r, 5 r, 6 /t
    expect([tree.parentOf(3), tree.parentOf(1), tree.parentOf(0)]).toEqual([1, 0, -1])
    expect([tree.indexAfter(0), tree.indexAfter(1), tree.indexAfter(2), tree.indexAfter(3)]).toEqual([
      7, 5, 3, 4,
    ])
    expect([tree.nameOf(2), tree.nameOf(3), tree.nameOf(4), tree.nameOf(-1)]).toEqual([
      'c',
      undefined,
      undefined,
      undefined,
    ])
    expect([tree.children(0, ['r']), tree.children(-1, ['t']), tree.children(2, ['r'])]).toEqual([
      [1, 5],
      [0],
      [],
    ])
    expect([tree.ancestor(3, ['t']), tree.ancestor(3, ['c'])]).toEqual([0, -1])
    expect(tree.raw(1, 5)).toBe('<r><c/></r>')
  })

  it('knows where an opening tag with tags in it ends', () => {
    const tree = treeOf('<t a="{d.a}" b="{d.b}">x</t>')
    expect(tree.tokens[tree.endOfOpening(0)]).toMatchObject({ raw: '">' })
  })
})
