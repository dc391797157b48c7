import type { Session } from '../session.ts'

/** The model of the data, loaded when a panel that shows it becomes visible. `draw` runs when loading fails. */
export function loadedModel(
  session: Session,
  draw: () => void,
): { load(): void; note(isEmpty: boolean): string } {
  let failed = ''
  return {
    load() {
      if (session.state.template === undefined || session.state.model !== undefined) return
      session.loadModel().then(
        () => {
          failed = ''
        },
        (error: unknown) => {
          failed = error instanceof Error ? error.message : String(error)
          draw()
        },
      )
    },
    /** The message that replaces the model. `isEmpty`: the template reads nothing. */
    note(isEmpty) {
      const { model, template } = session.state
      if (template === undefined) return 'Open a template to see what it reads.'
      if (model === undefined) return failed || 'Reading the template…'
      return isEmpty ? 'This template reads no data.' : ''
    },
  }
}
