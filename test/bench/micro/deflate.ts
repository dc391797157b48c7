/**
 * The plan-aware encoder against zlib on the document part of the invoice and the letter: `node test/bench/micro/deflate.ts`.
 * Both sides start from the plan and the data: zlib gets the part as one string that is encoded and deflated.
 */

import { deflateRawSync } from 'node:zlib'
import docx from '../../../plugins/formats/docx/index.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import { DeflateWriter } from '../../../shared/office/deflate.ts'
import { compile } from '../../../shared/template/compile.ts'
import { emit } from '../../../shared/template/emit/emit.ts'
import { type EmitState, partState } from '../../../shared/template/emit/state.ts'
import { renderText } from '../../../shared/template/emit/text.ts'
import type { PartWriter } from '../../../shared/template/package-writer.ts'
import { RenderScope } from '../../../shared/template/scope.ts'
import { invoiceData, invoiceTemplate, letterData, letterTemplate } from '../../helpers/bench-templates.ts'
import { codecNode } from '../../helpers/codec-node.ts'

const limits = defaultLimits
const median = (runs: number, run: () => void): number => {
  const times: number[] = []
  for (let n = 0; n < runs; n += 1) {
    const start = performance.now()
    run()
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[runs >> 1]!
}

async function compare(name: string, bytes: Uint8Array, data: unknown, runs: number): Promise<void> {
  const opened = await docx.template!.open(bytes, { codec: codecNode, limits })
  const part = compile(opened, { limits, languageLevel: 5, variables: undefined }).parts.find(
    (each) => each.plan.name === 'word/document.xml',
  )!
  const { plan } = part
  const shared = (): EmitState => ({
    data,
    complement: {},
    render: {
      lang: 'en',
      timezone: 'UTC',
      now: 0,
      translations: {},
      enums: {},
      currencySource: undefined,
      currencyTarget: undefined,
      currencyRates: {},
      highPrecision: false,
      lineBreak: undefined,
      formatId: 'docx',
      memo: new Map(),
    },
    budget: { left: 1e9, limit: 1e9, signal: undefined },
    unique: new Map(),
    scope: new RenderScope(),
  })
  let size = 0
  const ours = () => {
    const writer = new DeflateWriter(plan.statics)
    const out: PartWriter = {
      static: (id) => writer.static(id),
      text: (text) => writer.text(text),
      get size() {
        return writer.size
      },
      end: () => undefined,
    }
    emit(plan.nodes, { state: partState(shared(), part), out, outputBytes: limits.outputBytes })
    size = writer.end().compressed
  }
  const stringOnly = () => void renderText(part, shared(), limits)
  const zlib = (level: number) => () => {
    size = deflateRawSync(new TextEncoder().encode(renderText(part, shared(), limits)), { level }).length
  }
  const text = renderText(part, shared(), limits)
  const line = [`${name} (${text.length} characters): string alone ${median(runs, stringOnly).toFixed(3)} ms`]
  for (const [label, run] of [
    ['ours', ours],
    ['zlib 1', zlib(1)],
    ['zlib 6', zlib(6)],
  ] as const) {
    const time = median(runs, run)
    line.push(`${label} ${time.toFixed(3)} ms ${size} bytes`)
  }
  console.log(line.join('; '))
}

const invoice = await invoiceTemplate()
await compare('letter', await letterTemplate(), letterData, 300)
await compare('invoice 100', invoice, invoiceData(100), 100)
await compare('invoice 1000', invoice, invoiceData(1000), 30)
await compare('invoice 10000', invoice, invoiceData(10_000), 10)
