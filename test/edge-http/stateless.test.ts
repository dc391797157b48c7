import { statelessContract } from '../contract/http/stateless.ts'
import { edgeTarget } from '../helpers/edge-target.ts'

statelessContract('edge in workerd', () => edgeTarget({ SERVICE_STATELESS: 'true' }))
