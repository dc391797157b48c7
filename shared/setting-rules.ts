import { entryOf } from './entry-of.ts'
import { checkTimeZone } from './locale/time-zone.ts'

/** The rule for the value of a setting. Both hosts share it, wherever the value comes from. */
export interface SettingRule {
  readonly fits: (value: unknown) => boolean
  /** Behind "it takes". */
  readonly wants: string
  /** The error for a value that does not fit a strict setting, where the catalogue has one. */
  readonly error?: 'origin.secret'
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** A key of HMAC-SHA-256 is as long as its result (RFC 2104, section 3). */
const minSecretBytes = 32

export const rules = {
  factories: {
    fits: (value: unknown) =>
      value === 'auto' || (/^\d{1,2}$/.test(String(value)) && Number(value) >= 1 && Number(value) <= 64),
    wants: 'auto or a whole number from 1 to 64',
  },
  logLevel: {
    fits: (value) => logLevels.some((level) => level === value),
    wants: logLevels.join(', '),
  },
  isolation: {
    fits: (value) => value === 'required' || value === 'best',
    wants: 'required or best',
  },
  secret: {
    fits: (value) => new TextEncoder().encode(String(value)).length >= minSecretBytes,
    wants: `at least ${minSecretBytes} bytes, for example from \`openssl rand -base64 32\``,
    error: 'origin.secret',
  },
  timezone: {
    fits: (value) => !fails(() => checkTimeZone(String(value))),
    wants: 'a time zone such as Europe/Paris',
  },
  locale: {
    fits: (value) => !fails(() => Intl.getCanonicalLocales(String(value).replaceAll('_', '-'))),
    wants: 'a locale such as fr-fr',
  },
  currencyRates: {
    fits: (value) => isRecord(value) && Object.values(value).every((rate) => typeof rate === 'number'),
    wants: 'an object of currency code to number',
  },
  translations: {
    fits: (value) =>
      isRecord(value) &&
      Object.values(value).every(
        (texts) => isRecord(texts) && Object.values(texts).every((text) => typeof text === 'string'),
      ),
    wants: 'an object of locale to an object of texts',
  },
  headerAliases: {
    fits: (value) => everyText(value, /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i),
    wants: 'prefixes of letters, digits and dashes, separated by commas',
  },
  allowOrigin: {
    fits: (value) => /^(?:\*|null|[a-z][a-z0-9+.-]*:\/\/[^\s/,?#]+)$/i.test(String(value)),
    wants: '* or one origin such as https://example.com, without a path',
  },
  httpUrl: {
    fits: (value) => value === '' || /^https?:\/\/[^\s/?#]+(?:\/[^\s?#]*)?$/i.test(String(value)),
    wants: 'an address such as http://collector:4318, without a query',
  },
  hosts: {
    fits: (value) => everyText(value, /^(?:(?:\*\.)?[a-z0-9_.-]+|[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*)$/i),
    wants: 'names of hosts such as example.com or *.example.com, separated by commas',
  },
} satisfies Readonly<Record<string, SettingRule>>

/** '20971520', '20MB', '1.5 GB' in bytes. NaN for anything else. */
export function readSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(|b|kb|mb|gb)$/i.exec(text)
  if (match === null) return Number.NaN
  const unit =
    entryOf({ '': 1, b: 1, kb: 1024, mb: 1_048_576, gb: 1_073_741_824 }, (match[2] ?? '').toLowerCase()) ?? 0
  return Math.round(Number(match[1]) * unit)
}

function everyText(value: unknown, pattern: RegExp): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && pattern.test(item))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fails(check: () => unknown): boolean {
  try {
    check()
    return false
  } catch {
    return true
  }
}
