/**
 * The package export `platen/plugin`: what plugins need, wherever they are kept. Types and helpers only; nothing
 * here starts anything.
 *
 *   import { defineEngine, PluginError } from 'platen/plugin'
 */
export { bytesOf, fromBytes, headOf } from '../plugin/byte-source.ts'
export type {
  Acceptance,
  Conversion,
  ConversionResult,
  ConvertJob,
  DocumentReader,
  Engine,
  EnginePlugin,
  FormatPlugin,
  FormatVariant,
  Host,
  OpenContext,
  TemplateSupport,
} from '../plugin/contract.ts'
export { defineEngine, defineFormat } from '../plugin/contract.ts'
export type {
  Hook,
  HookBytes,
  HookCallback,
  HookPlugin,
  HookRequest,
  HookResponse,
  KeysPlugin,
  MiddlewarePlugin,
  StoragePlugin,
} from '../plugin/hooks.ts'
export { defineKeys, defineMiddleware, defineStorage } from '../plugin/hooks.ts'
export { type IgnoredOptions, ignoredOptions, ignoredWarnings } from '../plugin/ignored-options.ts'
export {
  type CheckedOptions,
  noSettings,
  optionChoice,
  optionFlag,
  optionInteger,
  optionNumber,
  optionsSchema,
  optionText,
} from '../plugin/option-rules.ts'
export type {
  OutlineItem,
  OverlayPage,
  OverlayText,
  PdfChanges,
  PdfDescription,
  PdfOverlay,
  PropertyValue,
} from '../plugin/pdf-changes.ts'
export { PluginError, type PluginErrorCode } from '../plugin/plugin-error.ts'
export type {
  AttachedFile,
  AttachedInvoice,
  PluginRoute,
  RouteAnswer,
  RouteCall,
  RouteConversion,
  RouteFailure,
  RouteFile,
  RouteForm,
  RouteHost,
  RouteRequest,
  RouteResponse,
  RoutesPlugin,
} from '../plugin/routes.ts'
export { defineRoutes } from '../plugin/routes.ts'
export { sniffText } from '../plugin/sniff-text.ts'
export type {
  ByteSource,
  FormatFamily,
  FormatId,
  Log,
  Outcome,
  Parsed,
  PrintOptions,
  Schema,
  SchemaIssue,
  Warning,
} from '../plugin/values.ts'
export { textTemplate } from '../template/text-template.ts'
