import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Minutes each, so they begin first. Those of `faults` mostly wait, for programs to be killed and to come back; between
 * them are some that keep the processors busy meanwhile.
 */
const long = [
  'test/edge-http/worker-http',
  'test/plugins/engines/libreoffice/contract',
  'test/faults/database',
  'test/origin/matrix',
  'test/faults/',
  'test/origin/bad-conversions',
  'test/edge-http/',
  'test/origin/cluster/',
  'test/plugins/engines/libreoffice/',
  'test/origin/',
]

/**
 * Starts the longest files first, so that none of them is left to run alone at the end. Files that share a process follow
 * each other: a worker ends when a file of another project is next.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      if (project.name === 'unit') return long.length + 2
      if (project.name === 'services') return long.length + 1
      const at = long.findIndex((folder) => moduleId.includes(folder))
      return at < 0 ? long.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
