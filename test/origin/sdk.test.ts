import { sdkContract } from '../contract/http/sdk.ts'
import { originTarget } from '../helpers/origin-target.ts'

sdkContract('origin, embedded', () => originTarget({ headerAliases: ['carbone'], mergeWorkers: 1 }))
