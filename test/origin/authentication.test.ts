import { authenticationContract } from '../contract/http/authentication.ts'
import { originTarget } from '../helpers/origin-target.ts'

authenticationContract('origin, embedded', (authenticationPublicKey) =>
  originTarget({ authentication: true, authenticationPublicKey, mergeWorkers: 1 }),
)
