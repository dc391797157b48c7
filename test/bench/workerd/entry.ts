import { pureCodec } from '../../../edge/codec.ts'
import { bundledFonts } from '../../../plugins/engines/instant/fonts/bundled.ts'
import { formats } from '../../../plugins/formats/index.ts'
import { engineAlone } from './engine-alone.ts'

interface Env {
  readonly FONTS: { fetch(address: string): Promise<Response> }
}

let convert: ((bytes: Uint8Array) => Promise<Uint8Array>) | undefined

/**
 * The engine as the Worker has it and nothing else: converts the body `?times=` over and answers the last PDF. The clock
 * of workerd stands still while it works, so whoever asks measures: two requests that differ in their times.
 */
export default {
  async fetch(request: Request, { FONTS }: Env): Promise<Response> {
    const asset = async (name: string) => {
      const answer = await FONTS.fetch(`https://assets.invalid/${name}`)
      return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined
    }
    convert ??= engineAlone({
      formats,
      codec: pureCodec,
      fonts: bundledFonts({ fetch: (file) => asset(`fonts/${file}`) }, pureCodec),
      asset,
    })
    const bytes = new Uint8Array(await request.arrayBuffer())
    let times = Number(new URL(request.url).searchParams.get('times') ?? 1)
    let pdf = new Uint8Array()
    for (; times > 0; times--) pdf = new Uint8Array(await convert(bytes))
    return new Response(pdf)
  },
}
