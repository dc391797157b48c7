import { statelessContract } from '../contract/http/stateless.ts'
import { originTarget } from '../helpers/origin-target.ts'

statelessContract('origin', () => originTarget({ stateless: true, mergeWorkers: 1 }))
