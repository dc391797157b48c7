import { deployRuleContract } from '../contract/http/deploy-rule.ts'
import { edgeTarget } from '../helpers/edge-target.ts'

deployRuleContract('edge in workerd', () => edgeTarget({ SERVICE_DEPLOY_REQUIRES_CHECKS: 'true' }))
