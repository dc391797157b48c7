import { sdkContract } from '../contract/http/sdk.ts'
import { edgeTarget } from '../helpers/edge-target.ts'

sdkContract('edge in workerd', () => edgeTarget({ SERVICE_HEADER_ALIASES: 'carbone' }))
