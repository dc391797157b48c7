/**
 * The user profile of an office process. It is created for each process, so that no data of one document reaches the
 * next.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

type RegistryValue = boolean | number | string
type RegistrySetting = readonly [node: string, property: string, value: RegistryValue, why: string]

/** Node in the office's registry, property, value. Versions ignore properties that they do not have. */
const settings: readonly RegistrySetting[] = [
  [
    'Office.Common/Security/Scripting',
    'MacroSecurityLevel',
    3,
    'only signed macros from trusted places: there are none',
  ],
  ['Office.Common/Security/Scripting', 'DisableMacrosExecution', true, 'and not even those'],
  [
    'Office.Common/Security/Scripting',
    'BlockUntrustedRefererLinks',
    true,
    'nothing a document points at is fetched',
  ],
  [
    'Office.Common/Security/Scripting',
    'DisableActiveContent',
    true,
    'no plug-ins, no embedded controls that run',
  ],
  ['Office.Common/Security/Scripting', 'CheckDocumentEvents', true, 'document events stay bound to nothing'],
  ['Office.Common/Security', 'DisableOLEAutomation', true, 'no foreign objects are woken'],
  ['Office.Common/Save/Document', 'AutoSave', false, 'nothing is kept of a document'],
  ['Office.Common/Save/Document', 'CreateBackup', false, 'nothing is kept of a document'],
  ['Office.Recovery/AutoSave', 'Enabled', false, 'nothing is kept of a document'],
  ['Office.Recovery/RecoveryInfo', 'Enabled', false, 'a crash is ours to handle'],
  ['Office.Recovery/RecoveryInfo', 'CrashReporterEnabled', false, 'a crash is ours to handle'],
  ['Office.Common/History', 'PickListSize', 0, 'no list of recent documents'],
  ['Office.Common/Misc', 'FirstRun', false, 'no wizard'],
  ['Office.Common/Misc', 'UseLocking', false, 'streams are not locked'],
  ['Office.Common/Misc', 'UseDocumentSystemFileLocking', false, 'streams are not locked'],
  ['Office.Common/Misc', 'UseDocumentOOoLockFile', false, 'no lock files'],
  ['Office.Common/Misc', 'ShowTipOfTheDay', false, 'no screen'],
  ['Office.Common/Misc', 'CollectUsageInformation', false, 'nothing is sent home'],
  ['Office.Common/VCL', 'UseOpenGL', false, 'no screen'],
  ['Office.Java/VirtualMachine', 'Enabled', false, 'no Java'],
  ['Office.Writer/Content/Update', 'Link', 2, 'never update links: 0 always, 1 on request, 2 never'],
  ['Office.Calc/Content/Update', 'Link', 1, 'never update links: 0 always, 1 never, 2 on request'],
  [
    'Office.Calc/Formula/Load',
    'OOXMLRecalcMode',
    0,
    'values of files made by generators are often missing: recalculate',
  ],
  [
    'Office.Calc/Formula/Load',
    'ODFRecalcMode',
    0,
    'values of files made by generators are often missing: recalculate',
  ],
  // Links that are not refused (backgrounds, style sheets) are requested through a port where nothing listens.
  [
    'Inet/Settings',
    'ooInetProxyType',
    1,
    'a proxy for everything: 0 none, 1 as set here, 2 as the system says',
  ],
  ...['HTTP', 'HTTPS', 'FTP'].flatMap((scheme): RegistrySetting[] => [
    ['Inet/Settings', `ooInet${scheme}ProxyName`, '127.0.0.1', 'the discard port, where nothing listens'],
    ['Inet/Settings', `ooInet${scheme}ProxyPort`, 9, 'the discard port, where nothing listens'],
  ]),
  ['Inet/Settings', 'ooInetNoProxy', '', 'this machine is not an exception'],
  ['Office.Linguistic/General', 'IsSpellAuto', false, 'no screen'],
  ['Setup/Office', 'ooSetupInstCompleted', true, 'no wizard'],
  ['Setup/L10N', 'ooLocale', 'en-US', 'the same words on every machine'],
  ['Setup/L10N', 'ooSetupSystemLocale', 'en-US', 'the same numbers on every machine'],
]

/** Filters that work but are hidden from users: Excel 95 and 5.0. */
const hiddenExports = [
  'MS Excel 95',
  'MS Excel 95 Vorlage/Template',
  'MS Excel 5.0/95',
  'MS Excel 5.0/95 Vorlage/Template',
]

/** Makes `<root>/profile` and `<root>/tmp`, readable by the current user only. */
export async function makeProfile(
  root: string,
  buildId: string | undefined,
): Promise<{ readonly profile: string; readonly scratch: string }> {
  const profile = join(root, 'profile')
  const scratch = join(root, 'tmp')
  const extensions = join(profile, 'user', 'extensions')
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  for (const repository of ['bundled', 'shared'])
    await mkdir(join(extensions, repository), { recursive: true, mode: 0o700 })
  await writeFile(join(profile, 'user', 'registrymodifications.xcu'), registry())
  if (buildId !== undefined) {
    await writeFile(join(extensions, 'buildid'), buildId)
    for (const repository of ['bundled', 'shared'])
      await writeFile(join(extensions, repository, 'lastsynchronized'), '1')
  }
  return { profile, scratch }
}

function registry(): string {
  const items = settings.map(
    ([node, property, value]) =>
      `<item oor:path="/org.openoffice.${node}"><prop oor:name="${property}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  const filters = hiddenExports.map(
    (name) =>
      `<item oor:path="/org.openoffice.TypeDetection.Filter/Filters/org.openoffice.TypeDetection.Filter:Filter['${name}']"><prop oor:name="Flags" oor:op="fuse"><value>IMPORT EXPORT ALIEN</value></prop></item>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    ...items,
    ...filters,
    '</oor:items>',
    '',
  ].join('\n')
}
