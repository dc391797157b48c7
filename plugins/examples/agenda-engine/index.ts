/** Turns the events of a calendar (iCalendar, RFC 5545) into a page with one row for each. */
import { defineEngine, fromBytes, noSettings, optionsSchema, optionText, PluginError } from 'platen/plugin'

interface CalendarEvent {
  readonly summary: string
  readonly start: string // as in the file: '20261123T090000Z'
}

export default defineEngine({
  kind: 'engine',
  contract: 1,
  id: 'agenda',
  letter: 'A',
  title: 'Agenda',
  sides: ['origin'],
  conversions: [{ from: 'ics', to: 'html', fidelity: 'high', cost: 1 }],
  settings: noSettings,
  options: optionsSchema({ AgendaTitle: optionText(100) }),
  create: () => ({
    async convert({ source, options }) {
      const events = readEvents(new TextDecoder().decode(await source.arrayBuffer()))
      // The caller sees this message. Any other error would only say that the engine failed.
      if (events.length === 0) throw new PluginError('plugin.document', 'The calendar has no events.')
      const html = pageOf(options.given.AgendaTitle ?? 'Agenda', events)
      return { value: fromBytes(new TextEncoder().encode(html)), warnings: [] }
    },
  }),
})

function readEvents(text: string): readonly CalendarEvent[] {
  // A line that begins with a space continues the one before it (RFC 5545, 3.1).
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)
  const events: CalendarEvent[] = []
  let fields: Map<string, string> | undefined // those of the event that is being read
  for (const line of lines) {
    const [, name = '', value = ''] = /^([A-Z-]+)[^:]*:(.*)$/.exec(line) ?? []
    if (name === 'BEGIN' && value === 'VEVENT') fields = new Map()
    else if (name === 'END' && value === 'VEVENT') {
      events.push({ summary: fields?.get('SUMMARY') ?? '', start: fields?.get('DTSTART') ?? '' })
      fields = undefined
    } else fields?.set(name, value)
  }
  return events
}

function pageOf(title: string, events: readonly CalendarEvent[]): string {
  const rows = events.map(
    ({ summary, start }) => `<tr><td>${escapeHtml(start)}</td><td>${escapeHtml(summary)}</td></tr>`,
  )
  return `<!doctype html><meta charset="utf-8"><title>${escapeHtml(title)}</title><h1>${escapeHtml(title)}</h1><table>${rows.join('')}</table>`
}

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
])

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities.get(character) ?? character)
}
