import { optionsHelp } from '../config.ts'
import { serve } from '../server.ts'
import type { LocalCommand } from './command.ts'

/** Runs the web server, as `npm start` does. */
export const webserver: LocalCommand = {
  local: true,
  usage: 'platen webserver [--port 4000] [--workdir FOLDER] [options]',
  summary: 'Serves the API. This is also what platen does without a command.',
  more: optionsHelp,
  async run(_readConfig, args) {
    await serve(args)
    return 0
  },
}
