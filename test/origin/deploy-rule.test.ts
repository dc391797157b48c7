import { deployRuleContract } from '../contract/http/deploy-rule.ts'
import { originTarget } from '../helpers/origin-target.ts'

deployRuleContract('origin', () => originTarget({ deployRequiresChecks: true }))
