import { createKeys, keyFiles, rotateKeys } from '../auth/key-files.ts'
import type { LocalCommand } from './command.ts'
import { readFlags } from './flags.ts'

/** Creates or rotates the key pair that signs and verifies tokens. */
export const generateKeys: LocalCommand = {
  local: true,
  usage: 'platen generate-keys [--rotate] [--workdir FOLDER]',
  summary:
    'Creates the key pair that signs tokens, config/key.pem and config/key.pub. With --rotate it adds a new pair; tokens signed with the old one stay valid.',
  async run(readConfig, args) {
    const values = readFlags(args, { rotate: { type: 'boolean', default: false } })
    const files = keyFiles(readConfig(values.workdir).workdir)
    if (values.rotate) await rotateKeys(files)
    else if (!(await createKeys(files))) {
      console.error(
        `There are keys in ${files.publicKeys} or ${files.privateKey} already. --rotate adds new ones.`,
      )
      return 1
    }
    console.log(`private  ${files.privateKey}\npublic   ${files.publicKeys}`)
    if (values.rotate) console.error('A running service accepts tokens of the new key after its next start.')
    return 0
  },
}
