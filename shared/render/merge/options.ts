import { downloadLimits } from '../../net/downloads.ts'
import type { MergeOptions } from '../../ports/index.ts'
import type { RenderContext } from '../state.ts'

/** The options of the merger, from the request and, where that is silent, from the settings of the server. */
export function mergeOptions({
  services,
  request,
  item,
}: Pick<RenderContext, 'services' | 'request' | 'item'>): MergeOptions {
  const { settings, clock, outbound } = services
  const names = Object.entries({
    reportName: request.reportName,
    batchReportName: request.batch?.reportName,
  }).filter((entry): entry is [string, string] => entry[1]?.includes('{') === true)
  return {
    complement: request.complement,
    lang: request.lang ?? settings.lang,
    timezone: request.timezone ?? settings.timezone,
    translations: request.translations ?? settings.translations,
    enum: request.enum,
    currencySource: request.currencySource ?? settings.currencySource,
    currencyTarget: request.currencyTarget ?? settings.currencyTarget,
    currencyRates: request.currencyRates ?? settings.currencyRates,
    variableStr: request.variableStr,
    ...(names.length > 0 && { names: Object.fromEntries(names) }),
    now: clock.now(),
    languageLevel: request.languageLevel,
    debug: request.debug,
    ...(request.failOn !== undefined && { failOn: request.failOn }),
    maxFiles: downloadLimits(outbound).files,
    ...(item !== undefined && { batch: item.shape }),
  }
}
