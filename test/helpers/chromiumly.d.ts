/** The part of the published client that tests use; its own types need those of DOM. */
declare module 'chromiumly' {
  interface Named {
    readonly outputFilename?: string
    readonly trace?: string
  }
  type Files = readonly (string | Buffer)[]
  type Values = Readonly<Record<string, unknown>>
  type Overlay = {
    readonly source: 'text' | 'image' | 'pdf'
    readonly expression: string
    readonly pages?: string
    readonly options?: Values
    readonly file?: Buffer
  }
  interface Finished extends Named {
    readonly pdfa?: string
    readonly metadata?: Values
    readonly stamp?: Overlay
    readonly facturx?: Values
    readonly downloadFrom?: Values | readonly Values[]
    readonly webhook?: Values
  }
  interface Page extends Finished {
    readonly properties?: Readonly<Record<string, unknown>>
    readonly pdfFormat?: string
  }
  export const Chromiumly: { configure(options: { readonly endpoint: string }): void }
  export class HtmlConverter {
    convert(
      options: Page & {
        readonly html: Buffer
        readonly header?: Buffer
        readonly assets?: readonly { readonly file: Buffer; readonly name: string }[]
      },
    ): Promise<Buffer>
  }
  export class MarkdownConverter {
    convert(options: Page & { readonly html: Buffer; readonly markdown: Buffer }): Promise<Buffer>
  }
  export class HtmlScreenshot {
    capture(options: {
      readonly html: Buffer
      readonly properties?: Readonly<Record<string, unknown>>
    }): Promise<Buffer>
  }
  export const LibreOffice: {
    convert(
      options: Finished & {
        readonly pageLayout?: number
        readonly hideViewerMenubar?: boolean
        readonly nativeWatermarkText?: string
        readonly files: readonly { readonly data: Buffer; readonly ext: string }[]
        readonly merge?: boolean
      },
    ): Promise<Buffer>
  }
  type Operation<More> = (options: Finished & { readonly files: Files } & More) => Promise<Buffer>
  export const PDFEngines: {
    merge: Operation<{ readonly bookmarks?: unknown; readonly autoIndexBookmarks?: boolean }>
    split: Operation<{ readonly options: Values }>
    convert: Operation<{ readonly pdfa: string }>
    encrypt: Operation<{ readonly options: Values }>
    rotate: Operation<{ readonly angle: 90 | 180 | 270; readonly pages?: string }>
    watermark: Operation<{ readonly watermark: Overlay }>
    stamp: Operation<{ readonly stamp: Overlay }>
    embed: Operation<{ readonly embeds: Files; readonly embedsMetadata?: Values }>
    facturX: Operation<{ readonly facturx: Values }>
    readMetadata: Operation<unknown>
    writeMetadata: Operation<{ readonly metadata: Values }>
    writeBookmarks: Operation<{ readonly bookmarks: unknown }>
    readBookmarks(files: Files): Promise<Buffer>
    flatten(files: Files): Promise<Buffer>
  }
  export const System: { getVersion(): Promise<Buffer>; getHealth(): Promise<Buffer> }
}
