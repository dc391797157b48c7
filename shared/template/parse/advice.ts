/** The hint for a tag that cannot be parsed. */

/** The beginning of a SyntaxProblem's reason -> the advice. Reasons without an entry get an example of a tag. */
const entries: readonly (readonly [because: string, advice: string])[] = [
  ['there is a dot before a bracket', 'Brackets follow the name of the list at once: {d.list[i].name}.'],
  ['a bracket is not closed', 'Close it: {d.list[i].name}. Quotes inside brackets come in pairs.'],
  ['a bracket is closed that was not opened', 'Open it after the name of the list: {d.list[i].name}.'],
  ['there is no name after a dot', 'Name a property of the data: {d.name}.'],
  [
    'there is no formatter name after a colon',
    'Name a formatter after it, {d.name:upperCase}, or leave the colon out.',
  ],
  [
    'the parenthesis of',
    'Add the missing ")". A text in quotes ends with a straight quote before a comma or ")".',
  ],
  ['it holds another brace', 'End the first tag with "}" before the next one begins.'],
  ['an index stands alone', 'Write one index, [0], or a search such as [id=5].'],
  ['a repetition factor', 'Write it after the end of the loop: [i+1*quantity].'],
  ['a filter has no left side', 'Name a property of the items before the comparison: [price>10].'],
  ['its path has more than', 'Shorten the path, or look for a missing "}".'],
]
const iterators =
  'A loop is written [i] and [i+1], sorted [price, i] and [price+1, i+1], grouped [city] and [city+1]; all items at once are [].'
const unexpected =
  'Formatters follow a colon, {d.name:upperCase}; conditions and arithmetic are formatters too: {d.x:ifEQ(1):show(yes)}, {d.x:add(.y)}.'

/** Advice for a syntax error, as a sentence. */
export function syntaxAdvice(because: string): string {
  const entry = entries.find(([start]) => because.startsWith(start))
  if (entry !== undefined) return entry[1]
  if (because.endsWith('is not an iterator')) return iterators
  return because.endsWith('was not expected') ? unexpected : 'A tag reads like {d.name:upperCase}.'
}
