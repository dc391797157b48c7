/**
 * An office that is installed without its user interface lacks the description of the window that shows a comment. It
 * creates that window for every text document with a comment, even without a screen, and exits without an error if it
 * cannot. This file contains a description with the required parts, and creates the folder in which the office finds
 * it.
 */
import { access, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

const path = ['config', 'soffice.cfg', 'modules', 'swriter', 'ui'] // below the share folder of the office
const name = 'annotation.ui'

const actions = [
  'reply',
  'resolve',
  'unresolve',
  'resolvethread',
  'unresolvethread',
  'delete',
  'deletethread',
  'deleteby',
  'deleteall',
  'format',
  'formatall',
]

const description = `<?xml version="1.0" encoding="UTF-8"?>
<interface>
  <object class="GtkMenu" id="actions">${actions.map((id) => `<child><object class="GtkMenuItem" id="${id}"/></child>`).join('')}</object>
  <object class="GtkBox" id="Annotation">
    <property name="orientation">vertical</property>
    <child><object class="GtkScrolledWindow" id="scrolledwindow">
      <property name="vscrollbar_policy">always</property>
      <child><object class="GtkViewport" id="viewport"><child><object class="GtkDrawingArea" id="editview"/></child></object></child>
    </object></child>
    <child><object class="GtkLabel" id="author"/></child>
    <child><object class="GtkLabel" id="date"/></child>
    <child><object class="GtkLabel" id="resolved"/></child>
    <child><object class="GtkMenuButton" id="menubutton"><property name="popup">actions</property></object></child>
  </object>
</interface>
`

/**
 * Creates `<root>/share`, the share folder of the office with that description; everything else in it is a link to
 * the installed files. Undefined if the office has the description.
 *
 * program path of soffice.bin
 */
export async function prepareShareFolder(
  root: string,
  program: string,
): Promise<{ readonly folder: string; readonly argument: string } | undefined> {
  const installed = join(dirname(dirname(program)), 'share')
  const has = (file: string) =>
    access(file).then(
      () => true,
      () => false,
    )
  if (!(await has(installed)) || (await has(join(installed, ...path, name)))) return undefined
  const folder = join(root, 'share')
  for (let depth = 0; depth <= path.length; depth++) {
    const [from, to] = [join(installed, ...path.slice(0, depth)), join(folder, ...path.slice(0, depth))]
    await mkdir(to, { recursive: true, mode: 0o755 })
    const entries = await readdir(from).catch(() => [])
    for (const entry of entries) if (entry !== path[depth]) await symlink(join(from, entry), join(to, entry))
  }
  await writeFile(join(folder, ...path, name), description, { mode: 0o644 })
  // The office finds the folder by its position relative to the program.
  return { folder, argument: `-env:BRAND_SHARE_SUBDIR=${relative(dirname(installed), folder)}` }
}
