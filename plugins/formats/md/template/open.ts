import type { TemplatePackage } from '../../../../shared/template/package.ts'
import { openSingle } from '../../../../shared/template/single.ts'
import { mdRules } from './rules.ts'

export function openMarkdown(bytes: Uint8Array): TemplatePackage {
  return openSingle(bytes, { format: 'md', syntax: 'markdown', rules: mdRules })
}
