/** A control of a form that a reader of a PDF can fill. Sources: ODF 1.3 part 3, 13.5; ECMA-376-1, 17.5.2. */
export interface FormField {
  /** A text box, a list or drop-down list, a check box, one of several buttons of which one is pressed. */
  readonly kind: 'text' | 'choice' | 'check' | 'radio'
  /** The name of the field. Buttons of the same name belong together. */
  readonly name: string
  /** What the field is for, as viewers and screen readers say it. */
  readonly description?: string
  /** The text, or the value that a pressed button stands for. */
  readonly value: string
  /** Whether a button is pressed. */
  readonly isChecked?: boolean
  /** The characters that stand for the states of a check box in a text. */
  readonly signs?: { readonly checked: string; readonly unchecked: string }
  /** The entries of a list. */
  readonly options?: readonly string[]
  /** The list opens below its field. */
  readonly dropsDown?: boolean
  /** Other texts than those of the list may be written into the field. */
  readonly takesText?: boolean
  readonly isMultiline?: boolean
  readonly isReadOnly?: boolean
  readonly isRequired?: boolean
  readonly maxLength?: number // characters
}

/** Whether a field is pressed rather than written into. */
export const isButton = ({ kind }: FormField): boolean => kind === 'check' || kind === 'radio'

/** The characters that stand for a button where a text has no fields. */
export function buttonSign({ kind, isChecked = false }: FormField): string {
  if (kind === 'check') return isChecked ? '\u2611' : '\u2610'
  return isChecked ? '\u25c9' : '\u25cb'
}
