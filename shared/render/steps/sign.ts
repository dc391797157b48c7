import { AppError } from '../../errors/app-error.ts'
import type { PreparedSignature } from '../../signing/request.ts'
import { assembledFormat } from '../pdf-parts.ts'
import { signSource } from '../sign-source.ts'
import { type PipelineContext, type PipelineState, withWarnings } from '../state.ts'

/** Signs the finished PDF. Throws 'sign.not-pdf', 'sign.*', 'pdf.*', 'net.*'. */
export async function sign(
  { services, signal }: PipelineContext,
  state: PipelineState,
  signatures: readonly PreparedSignature[],
): Promise<PipelineState> {
  if (state.format.id !== assembledFormat) throw new AppError('sign.not-pdf')
  const { signatures: positions, source } = state
  const { value, warnings } = await signSource(services, source, { signatures, positions, signal })
  return withWarnings({ ...state, source: value }, warnings)
}
