/**
 * The two steps of set-up, one at a time, so that each is a layer of an image. `npm start` takes the same steps.
 *
 *   node origin/setup/image.mjs npm|system [--with-office-alt]
 */
import { fileURLToPath } from 'node:url'
import { installNpmPackages } from './npm-packages.mjs'
import { installPackages } from './system-packages.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const officeAlt = process.argv.includes('--with-office-alt')
const say = (line) => console.error(line)
const steps = {
  npm: () => installNpmPackages(root, say),
  system: () => installPackages(officeAlt ? ['service', 'office-alt'] : ['service'], say),
}
const step = steps[process.argv[2] ?? '']
if (step === undefined) say('Name a step: npm or system.')
process.exit(step !== undefined && (await step()) ? 0 : 1)
