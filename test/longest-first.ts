import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What takes longest, one after the other, so that it begins first; the size of a file does not tell, since many are one call of
 * a contract. Those of `faults` mostly wait, for programs to be killed and to come back; between them are some that keep the
 * processors busy meanwhile.
 */
const long = [
  'test/edge-http/worker-http',
  'test/plugins/engines/libreoffice/contract',
  'test/origin/cluster/http',
  'test/faults/database',
  'test/origin/http.test',
  'test/origin/attacks',
  'test/edge-http/alike',
  'test/faults/',
  'test/origin/matrix',
  'test/plugins/engines/libreoffice/engine',
  'test/origin/pdf-turns',
  'test/docs/snippets',
  'test/origin/studio/browser',
  'test/origin/hostile-',
  'test/origin/bad-conversions',
  'test/plugins/engines/libreoffice/epub',
  'test/origin/authentication',
  'test/edge-http/',
  'test/origin/cluster/',
  'test/plugins/engines/libreoffice/',
  'test/plugins/engines/chromium/',
  'test/recipes',
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
