import { isAccountName } from '../../shared/auth/account.ts'
import { ownAccount } from '../../shared/records/accounts.ts'
import { accountSecrets, readWebhookSecrets, secretText } from '../../shared/webhook/sign.ts'
import { type LocalCommand, UsageError } from './command.ts'
import { readFlags } from './flags.ts'

/** Prints the secrets by which the receivers of an account check its webhooks. */
export const webhookSecret: LocalCommand = {
  local: true,
  usage: 'platen webhook-secret [--account NAME] [--workdir FOLDER]',
  summary:
    'Prints the secret with which the receivers of an account check webhook calls, one for each SERVICE_WEBHOOK_SECRET.',
  async run(readConfig, args) {
    const values = readFlags(args, { account: { type: 'string', default: ownAccount } })
    const config = readConfig(values.workdir)
    if (!isAccountName(values.account))
      throw new UsageError(
        '--account takes up to 64 of a-z, 0-9, _ and -, and starts with a letter or digit.',
      )
    if (config.webhookSecret.length === 0)
      throw new UsageError(
        'Calls are not signed: set SERVICE_WEBHOOK_SECRET to whsec_ and the base64 of 24 to 64 random bytes.',
      )
    const secrets = await accountSecrets(readWebhookSecrets(config.webhookSecret), values.account)
    for (const secret of secrets) console.log(secretText(secret))
    return 0
  },
}
