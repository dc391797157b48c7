import type { Conversion } from '../../../shared/plugin/contract.ts'

export const title = 'Pictures'

export const outputs = ['pbm', 'pgm', 'ppm', 'ras', 'pct', 'swf'] as const

export const conversions: readonly Conversion[] = outputs.map((to) => ({
  from: 'bmp',
  to,
  fidelity: 'high',
  cost: 10,
}))
