import { AppError } from '../errors/app-error.ts'
import { defaultLimits } from '../template/limits.ts'
import { lexXml } from '../template/scan/xml.ts'

/**
 * Whether an SVG can be read to its end: one that is cut off or nested without end breaks the document it stands in for
 * some programs. Types declared inside the file are taken on trust.
 */
export function isSoundSvg(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes)
  const declared = /<!DOCTYPE[^[>]*([[>])/i.exec(text)
  if (declared?.[1] === '[') return true
  return isSoundXml(declared === null ? text : text.replace(declared[0], ''))
}

export function isSoundXml(text: string): boolean {
  try {
    lexXml(text, 'picture', defaultLimits)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
