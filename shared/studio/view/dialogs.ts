import type { Session } from '../session.ts'
import { changeDetails, save } from '../stored.ts'
import { field, fill, freshId, h, show, tick } from './dom.ts'

/**
 * Opens a form in a dialog. If `submit` fails, the dialog stays open and shows the reason; it also stays open if
 * `submit` returns false.
 */
export function openForm(
  root: ParentNode & Node,
  {
    title,
    action,
    body,
    submit,
  }: {
    readonly title: string
    readonly action: string
    readonly body: readonly HTMLElement[]
    readonly submit: () => unknown
  },
): Promise<boolean> {
  const failure = h('p', { class: 'failure', role: 'alert', hidden: true })
  const go = h('button', { type: 'submit', class: 'primary' }, action)
  const cancel = h(
    'button',
    { type: 'button', class: 'quiet', on: { click: () => dialog.close() } },
    'Cancel',
  )
  const heading = h('h2', {}, title)
  const form = h(
    'form',
    { method: 'dialog', on: { submit: (event) => void submitted(event) } },
    heading,
    ...body,
    failure,
    h('div', { class: 'buttons' }, cancel, go),
  )
  const dialog = h('dialog', { 'aria-label': title }, form)
  let done = false
  root.append(dialog)
  dialog.showModal()
  return new Promise((resolve) =>
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(done)
    }),
  )

  async function submitted(event: Event): Promise<void> {
    event.preventDefault()
    go.disabled = true
    failure.hidden = true
    try {
      if ((await submit()) === false) return
      done = true
      dialog.close()
    } catch (error) {
      fill(failure, error instanceof Error ? error.message : String(error))
      failure.hidden = false
    } finally {
      go.disabled = false
    }
  }
}

export function openSave(root: ParentNode & Node, session: Session): Promise<boolean> {
  const { template, config } = session.state
  const stored = template?.stored
  const history = stored?.id ?? undefined
  const name = h('input', {
    type: 'text',
    maxlength: '200',
    required: true,
    value: template?.name ?? '',
    name: 'name',
  })
  const comment = h('input', { type: 'text', maxlength: '200', name: 'comment', placeholder: 'What changed' })
  const category = h('input', {
    type: 'text',
    maxlength: '200',
    name: 'category',
    value: stored?.category ?? '',
  })
  const tags = h('input', { type: 'text', name: 'tags', value: (stored?.tags ?? []).join(', ') })
  const version = tick('As a new version of this template', history !== undefined)
  const sample = tick('With the data as its sample', true, 'data, complement, enum and translations')
  const deployed = tick('Deploy it', true, 'Renders by Template ID use it at once')
  // A site that names the template decides where it is stored.
  version.box.disabled = config.mode === 'embedded-versioning'
  version.box.addEventListener('change', () => show(deployed.node, version.box.checked))
  return openForm(root, {
    title: 'Save the template',
    action: 'Save',
    body: [
      field('Name', name),
      field('Comment', comment),
      h('div', { class: 'pairs' }, field('Category', category), field('Tags', tags, 'Separated by commas.')),
      sample.node,
      ...(history === undefined ? [] : [version.node, deployed.node]),
    ],
    submit: async () => {
      const asVersion = history !== undefined && version.box.checked
      // The first version of a template is always deployed.
      if ((!asVersion || deployed.box.checked) && !(await mayDeploy(session, root))) return false
      return save(session, {
        name: name.value.trim(),
        comment: comment.value.trim(),
        category: category.value.trim(),
        tags: tagsIn(tags.value),
        withSample: sample.box.checked,
        deploy: deployed.box.checked,
        asVersion,
      })
    },
  })
}

/** Opens a dialog for the metadata of the open version, without creating a new version. */
export function openDetails(root: ParentNode & Node, session: Session): Promise<boolean> {
  const { stored } = session.state.template ?? {}
  const text = (name: string, value = '') =>
    h('input', { type: 'text', maxlength: '200', name, value, autocomplete: 'off' })
  const name = text('name', stored?.name)
  const comment = text('comment', stored?.comment)
  const category = text('category', stored?.category)
  const tags = text('tags', (stored?.tags ?? []).join(', '))
  return openForm(root, {
    title: 'Details of this version',
    action: 'Change',
    body: [
      field('Name', name),
      field('Comment', comment),
      h('div', { class: 'pairs' }, field('Category', category), field('Tags', tags, 'Separated by commas.')),
    ],
    submit: () =>
      changeDetails(session, {
        name: name.value.trim(),
        comment: comment.value.trim(),
        category: category.value.trim(),
        tags: tagsIn(tags.value),
      }),
  })
}

const tagsIn = (text: string): readonly string[] => text.split(',').flatMap((tag) => tag.trim() || [])

/** Whether the open template may be deployed: it has no errors, or the user confirms the deployment with errors. */
export async function mayDeploy(session: Session, root: ParentNode & Node): Promise<boolean> {
  const count = await session.countErrors()
  if (count === 0) return true
  const errors = count === 1 ? 'an error' : `${count} errors`
  return confirmLoss(root, {
    title: 'Deploy a template with errors?',
    action: 'Deploy it',
    description: `It has ${errors}, so every render by its Template ID will fail.`,
  })
}

export function openToken(root: ParentNode & Node, given: (token: string) => void): Promise<boolean> {
  const token = h('input', {
    type: 'password',
    required: true,
    name: 'token',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  return openForm(root, {
    title: 'This service requires a token',
    action: 'Use it',
    body: [field('API token', token, 'Kept until this tab is closed.')],
    submit: () => given(token.value.trim()),
  })
}

/** Asks for confirmation before data are lost. */
export function confirmLoss(
  root: ParentNode & Node,
  {
    title,
    action,
    description,
  }: { readonly title: string; readonly action: string; readonly description: string },
): Promise<boolean> {
  return openForm(root, { title, action, body: [h('p', {}, description)], submit: () => undefined })
}

/** The role of a file for the open template: a new state of it, or a different template. */
export type FileMeaning = 'state' | 'template'

/** Returns undefined when the dialog is cancelled. */
export async function askMeaning(root: ParentNode & Node, name: string): Promise<FileMeaning | undefined> {
  const group = freshId()
  const choice = (label: string, checked: boolean) => {
    const input = h('input', { type: 'radio', name: group, checked })
    return { input, node: h('label', { class: 'tick' }, input, h('span', {}, label)) }
  }
  const state = choice(`A new state of “${name}”`, true)
  const other = choice('Another template', false)
  const title = 'What is this file?'
  const body = [
    h('div', { class: 'choice', role: 'radiogroup', 'aria-label': title }, state.node, other.node),
  ]
  const done = await openForm(root, { title, action: 'Open it', body, submit: () => undefined })
  if (!done) return undefined
  return state.input.checked ? 'state' : 'template'
}
