/** The studio's own page. Its address names the open template, so that it can be shared and bookmarked. */
import type { PlatenStudio } from './element.ts'

const studio = document.querySelector('platen-studio')!
await customElements.whenDefined('platen-studio')

studio.addEventListener('template:loaded', (event) => name(event))
studio.addEventListener('template:saved', (event) => name(event))
let unsaved = false
studio.addEventListener('template:updated', () => {
  unsaved = true
})
for (const type of ['template:loaded', 'template:saved'])
  studio.addEventListener(type, () => {
    unsaved = false
  })
addEventListener('beforeunload', (event) => {
  if (unsaved) event.preventDefault()
})
addEventListener('hashchange', () => void open(studio))
await open(studio)

function name(event: Event): void {
  const { id, versionId } = (event as CustomEvent<{ id?: string | null; versionId?: string }>).detail
  const ref = asked() === versionId ? versionId : (id ?? versionId)
  history.replaceState(null, '', ref ? `#${ref}` : location.pathname)
}

function asked(): string {
  return location.hash.slice(1)
}

async function open(element: PlatenStudio): Promise<void> {
  const ref = asked()
  if (/^(?:[1-9]\d{0,18}|[0-9a-f]{64})$/.test(ref)) await element.openTemplateId(ref).catch(() => undefined)
}
