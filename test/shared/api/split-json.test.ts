import { describe, expect, it } from 'vitest'
import { parseJson, splitJson, splitJsonArray } from '../../../shared/api/split-json.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** What the split and its members make of a text, as JSON.parse would give it. */
function throughSplit(text: string): unknown {
  const bytes = bytesOf(text)
  const found = Object.create(null)
  for (const [name, { start, end }] of splitJson(bytes)) found[name] = parseJson(bytes.subarray(start, end))
  return found
}

/** Random numbers that are the same in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function randomValue(random: (below: number) => number, depth: number): unknown {
  const strings = ['', 'a', '"', '\\', '\\"', '{', '}]', 'é文😀', '\u0000', ',":', '\\\\"']
  switch (random(depth > 4 ? 4 : 7)) {
    case 0:
      return strings[random(strings.length)]
    case 1:
      return random(2) === 0 ? random(1e9) : -random(1000) / 7
    case 2:
      return [null, true, false][random(3)]
    case 3:
      return strings.map(() => strings[random(strings.length)]).join('')
    case 4:
      return Array.from({ length: random(4) }, () => randomValue(random, depth + 1))
    default:
      return Object.fromEntries(
        Array.from({ length: random(4) }, () => [
          strings[random(strings.length)],
          randomValue(random, depth + 1),
        ]),
      )
  }
}

describe('splitJson', () => {
  it('gives what JSON.parse gives, for 3000 random objects in three spacings', () => {
    const random = randomNumbers(7)
    for (let time = 0; time < 3000; time++) {
      const value = Object.fromEntries(
        Array.from({ length: random(6) }, (_, at) => [`k${at}"${random(3)}`, randomValue(random, 0)]),
      )
      const text = JSON.stringify(value, undefined, [undefined, 2, '\t'][time % 3])
      expect(throughSplit(text)).toEqual(JSON.parse(text))
    }
  })

  it('accepts a text exactly when JSON.parse does, for 6000 damaged objects', () => {
    const random = randomNumbers(11)
    const noise = ['{', '}', '[', ']', '"', ',', ':', '\\', ' ', '1', 'x', 'null', '']
    let refused = 0
    for (let time = 0; time < 6000; time++) {
      const text = JSON.stringify({ a: randomValue(random, 1), b: randomValue(random, 1), c: 1 })
      const at = random(text.length)
      // Cutting may leave half a character, which UTF-8 cannot carry.
      const damaged =
        `{${(text.slice(0, at) + noise[random(noise.length)] + text.slice(at + random(2))).slice(1)}`.toWellFormed()
      let expected: unknown
      try {
        expected = JSON.parse(damaged)
      } catch {
        refused++
        expect(() => throughSplit(damaged), damaged).toThrow('Invalid JSON body')
        continue
      }
      expect(throughSplit(damaged)).toEqual(expected)
    }
    expect(refused).toBeGreaterThan(2000)
  })

  it('takes a byte order mark, space around, duplicate names and __proto__', () => {
    expect(throughSplit('\ufeff \n{ "a" : 1 , "a":\t2 }\r\n')).toEqual({ a: 2 })
    expect([...splitJson(bytesOf('{"__proto__":1}')).keys()]).toEqual(['__proto__'])
    expect([...splitJson(bytesOf('{"\\u0061":1}')).keys()]).toEqual(['a'])
  })

  it('goes through ten thousand levels without running out of stack', () => {
    const text = `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
    expect(splitJson(bytesOf(text)).get('a')).toEqual({ start: 5, end: 20_005 })
  })
})

describe('the split of an array', () => {
  const parts = (text: string, atMost = 100) => {
    const bytes = bytesOf(text)
    return splitJsonArray(bytes, atMost).map(({ start, end }) => parseJson(bytes.subarray(start, end)))
  }

  it('gives the elements that JSON.parse gives', () => {
    const random = randomNumbers(7)
    for (let time = 0; time < 500; time++) {
      const array = Array.from({ length: random(6) }, () => randomValue(random, 0))
      const text = JSON.stringify(array, undefined, random(3))
      expect(parts(text)).toEqual(JSON.parse(text))
    }
  })

  it('stops behind as many as are asked for, whatever follows', () => {
    expect(parts('[1, 2, 3 oops', 2)).toEqual([1, 2])
    expect(parts('[1,2]', 2)).toEqual([1, 2])
  })

  const broken = ['', '{}', '[', '[1', '[1,', '[,1]', '[1 2]', '[1]x', '[{]', '["a]', '[[]', 'null']
  for (const text of broken) {
    it(`refuses ${text}`, () => {
      expect(() => parts(text)).toThrowError(expect.objectContaining({ code: 'api.json.invalid' }))
    })
  }
})
