import { Type } from 'typebox'
import { AppError } from '../../errors/app-error.ts'
import { json } from '../call.ts'
import type { Route } from '../route.ts'

export const revokeToken: Route = {
  method: 'DELETE',
  path: '/token',
  operation: 'revokeToken',
  summary: 'Revokes the token of this request before it expires.',
  scope: 'account',
  needsDatabase: true,
  answers: [
    {
      status: 200,
      description: 'The token was revoked.',
      schema: Type.Object({ success: Type.Literal(true), message: Type.String() }),
    },
  ],
  errors: ['api.not-found'],
  async run(services, { caller }) {
    // Without authentication there are no tokens, so the endpoint does not exist.
    if (services.authentication === undefined || caller === undefined) throw new AppError('api.not-found')
    await services.authentication.revoke(caller)
    return json(200, { success: true, message: 'Token revoked' })
  },
}
