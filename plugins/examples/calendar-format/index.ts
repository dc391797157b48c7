/** Calendars (iCalendar, RFC 5545) as templates and as an output. */
import { defineFormat, sniffText, textTemplate } from 'platen/plugin'

export default defineFormat({
  kind: 'format',
  id: 'ics',
  family: 'text',
  extensions: ['ics', 'ical'],
  mime: ['text/calendar'],
  sniff: (source) => sniffText(source, (text) => (/^BEGIN:VCALENDAR\r?$/m.test(text) ? 'sure' : 'no')),
  template: textTemplate('ics'),
})
