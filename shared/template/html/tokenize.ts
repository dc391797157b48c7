import { type Token, Tokenizer, TokenizerMode } from 'parse5'

/** The events of tokenizing HTML, in document order. Comments and declarations are skipped. */
export interface HtmlTokens {
  /** Receives the tag with its position in the text, in UTF-16 code units. */
  readonly onStartTag: (tag: Token.TagToken) => void
  readonly onEndTag: (tag: Token.TagToken) => void
  /** Receives text with its character references decoded. */
  readonly onText?: (text: string) => void
}

const rawText = new Set(['style', 'xmp', 'iframe', 'noembed', 'noframes'])

/**
 * Tokenizes HTML with the tokenizer of parse5, without building a tree. A tokenizer without a tree builder does not know
 * which elements contain raw text, so its state is set here (WHATWG HTML, 13.2.6.4).
 */
export function tokenizeHtml(text: string, { onStartTag, onEndTag, onText }: HtmlTokens): void {
  const onCharacter = ({ chars }: Token.CharacterToken) => onText?.(chars)
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: (tag) => {
        onStartTag(tag)
        if (tag.tagName === 'script') tokenizer.state = TokenizerMode.SCRIPT_DATA
        else if (rawText.has(tag.tagName)) tokenizer.state = TokenizerMode.RAWTEXT
        else if (tag.tagName === 'textarea' || tag.tagName === 'title') tokenizer.state = TokenizerMode.RCDATA
      },
      onEndTag,
      onCharacter,
      onWhitespaceCharacter: onCharacter,
      onNullCharacter: () => undefined,
      onComment: () => undefined,
      onDoctype: () => undefined,
      onEof: () => undefined,
      onParseError: null,
    },
  )
  tokenizer.write(text, true)
}
