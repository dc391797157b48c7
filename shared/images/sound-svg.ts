import { AppError } from '../errors/app-error.ts'
import { defaultLimits } from '../limits.ts'
import { lexXml } from '../xml/scan.ts'

/**
 * Whether an SVG is well-formed and not nested too deeply. An SVG that is not makes some programs refuse the document
 * that contains it. A file that declares entities is assumed to be correct, because they are not expanded here.
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
