import type { Relationships } from './relationships.ts'

/**
 * The part with the drawing that Office saves beside the data of a SmartArt ([MS-ODRAWXML] 2.3.2). No relationship of
 * the diagram names that part, so it is found by the number that both part names share; undefined when there is none.
 * `data`: the id of the relationship to the data.
 */
export function diagramDrawing(relationships: Relationships, data: string | undefined): string | undefined {
  const drawings = [...relationships.values()].filter(({ type }) => type === 'diagramDrawing')
  const number = /(\d*)\.xml$/.exec(relationships.get(data ?? '')?.target ?? '')?.[1]
  return (drawings.find(({ target }) => target.endsWith(`drawing${number}.xml`)) ?? drawings[0])?.target
}
