import { apiErrors } from './catalogue/api.ts'
import { authErrors } from './catalogue/auth.ts'
import { convertErrors } from './catalogue/convert.ts'
import { formatterErrors } from './catalogue/formatter.ts'
import { hookErrors } from './catalogue/hook.ts'
import { instantErrors } from './catalogue/instant.ts'
import { invoiceErrors } from './catalogue/invoice.ts'
import { netErrors } from './catalogue/net.ts'
import { pdfErrors } from './catalogue/pdf.ts'
import { pluginErrors } from './catalogue/plugin.ts'
import { signErrors } from './catalogue/sign.ts'
import { storageErrors } from './catalogue/storage.ts'
import { studioErrors } from './catalogue/studio.ts'
import { templateErrors } from './catalogue/template.ts'

/**
 * Every error that the service can respond with. Codes never change their meaning. `message` states what
 * failed and where, `hint` what to do next. Placeholders in braces are filled with typed details. `blame`
 * decides fallback, retry and log level. `wire` is the short code that clients see instead of the code here, for errors that have one.
 */
export const catalogue = {
  ...apiErrors,
  ...authErrors,
  ...templateErrors,
  ...convertErrors,
  ...formatterErrors,
  ...hookErrors,
  ...instantErrors,
  ...invoiceErrors,
  ...netErrors,
  ...pdfErrors,
  ...pluginErrors,
  ...signErrors,
  ...storageErrors,
  ...studioErrors,
} as const

export type ErrorCode = keyof typeof catalogue
