import { authenticationContract } from '../contract/http/authentication.ts'
import { edgeTarget } from '../helpers/edge-target.ts'

authenticationContract('edge in workerd', (publicKeys) =>
  edgeTarget({
    SERVICE_AUTHENTICATION: 'true',
    SERVICE_AUTHENTICATION_PUBLIC_KEY: publicKeys.replaceAll('\n', '\\n'),
  }),
)
