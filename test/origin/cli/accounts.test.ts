import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { platen } from '../../helpers/platen-cli.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()

/** What the command does when all is well, the hosted contract shows on both hosts. */
it('mistakes on the command line are reported and change nothing', async () => {
  const folder = temporary()
  await mkdir(folder, { recursive: true })
  const accounts = (...args: readonly string[]) => platen(folder, 'accounts', ...args)
  expect((await accounts('list')).err).toMatch(/^There is no service in .*\.data yet/)
  await mkdir(join(folder, '.data'))
  expect(await accounts('create', 'small')).toMatchObject({ code: 0, out: 'small  100 credits a month' })
  const rows: readonly (readonly [readonly string[], RegExp])[] = [
    [['create', 'small'], /^There is already an account "small"/],
    [['create', 'Not Good'], /^The name of an account has up to 64/],
    [['create', "x'; drop table accounts"], /^The name of an account has up to 64/],
    [['create', 'x', '--credits', 'many'], /^--credits takes a number/],
    [['create'], /^accounts create takes 1 argument/],
    [['token', 'nobody'], /^There is no account "nobody"/],
    [['token', 'small'], /no private key .*generate-keys/],
    [['token', 'small', '--kind', 'best'], /^--kind takes test or production/],
    [['tokens', 'nobody'], /^There is no account/],
    [['close', 'nobody'], /^There is no account/],
    [['credits', 'nobody', '--credits', '5'], /^There is no account/],
    [['remove', 'nobody'], /^There is no account/],
    [['remove', 'small'], /^Close the account "small" first/],
    [['revoke', 'small', 'ffff'], /is no token of small/],
    [['list', '--d1', 'moon'], /^--d1 takes remote or local/],
    [['fly'], /^There is no command "accounts fly"/],
    [[], /^Name one of the commands create, /],
    [['list', '--colour'], /colour/],
  ]
  for (const [args, message] of rows) {
    const { code, err } = await accounts(...args)
    expect([args.join(' '), code, err]).toEqual([args.join(' '), 2, expect.stringMatching(message)])
  }
  expect((await accounts('list')).out).toBe('small  0 of 100 credits used')
})
