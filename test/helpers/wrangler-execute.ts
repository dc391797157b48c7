import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'

/** How long a statement waits while the Worker writes. */
const busyMs = 60_000

/**
 * What `wrangler d1 execute --json --command` does with the file of a local database and answers, without the start of a
 * workerd. The statements of a command are one transaction. A failure is thrown, where wrangler would answer with it.
 */
export async function executeAsWrangler(
  file: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const command = args[args.indexOf('--command') + 1] ?? ''
  const database = new DatabaseSync(file, { timeout: busyMs })
  try {
    database.exec('BEGIN IMMEDIATE')
    const answers = command.split(';\n').map((text) => {
      const results: Record<string, SQLOutputValue>[] = database.prepare(text).all()
      const { changes } = database.prepare('SELECT changes() AS changes').get() ?? {}
      return { results, success: true, meta: { changes } }
    })
    database.exec('COMMIT')
    return { code: 0, stdout: JSON.stringify(answers), stderr: '' }
  } finally {
    database.close()
  }
}
