/** The part of the published client that tests use; its own types need those of DOM. */
declare module 'chromiumly' {
  interface Named {
    readonly outputFilename?: string
    readonly trace?: string
  }
  type Files = readonly (string | Buffer)[]
  interface Page extends Named {
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
      options: Named & {
        readonly files: readonly { readonly data: Buffer; readonly ext: string }[]
        readonly merge?: boolean
      },
    ): Promise<Buffer>
  }
  export const PDFEngines: {
    merge(options: Named & { readonly files: Files; readonly pdfa?: string }): Promise<Buffer>
    split(
      options: Named & { readonly files: Files; readonly options: Readonly<Record<string, unknown>> },
    ): Promise<Buffer>
    convert(options: Named & { readonly files: Files; readonly pdfa: string }): Promise<Buffer>
    encrypt(
      options: Named & { readonly files: Files; readonly options: Readonly<Record<string, unknown>> },
    ): Promise<Buffer>
  }
  export const System: { getVersion(): Promise<Buffer>; getHealth(): Promise<Buffer> }
}
