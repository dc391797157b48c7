import { webhookContract } from '../contract/http/webhooks.ts'
import { edgeTarget } from '../helpers/edge-target.ts'

webhookContract('edge in workerd', () => edgeTarget({ SERVICE_EGRESS_ALLOW_PRIVATE: 'true' }))
