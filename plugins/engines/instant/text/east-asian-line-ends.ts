/**
 * The ends of lines in East Asian text: which characters may not begin a line, which may not end it, and which hang over
 * its end where they do not fit.
 */

/** The rules of a language. */
export interface LineEndRules {
  /** Characters that may not begin a line. */
  readonly notAtStart: ReadonlySet<string>
  /** Characters that may not end a line. */
  readonly notAtEnd: ReadonlySet<string>
  /** Punctuation that may stand in the margin after a full line. */
  readonly hanging: ReadonlySet<string>
}

/** Observed in LibreOffice and in Word: Chinese and Korean text lets all stops hang, Japanese text only full-width ones. */
const allStops = '!,.:;?、。！，．：；？'
const fullWidthStops = '、。，．'

const ofJapanese = rules(
  '!%),.:;?]}¢°’”‰′″℃、。々〉》」』】〕ぁぃぅぇぉっゃゅょゎ゛゜ゝゞァィゥェォッャュョヮヵヶ・ーヽヾ！％），．：；？］｝｡｣､･ｧｨｩｪｫｬｭｮｯｰﾞﾟ',
  '$([{£¥‘“〈《「『【〔＄（［｛｢￥',
  fullWidthStops,
)
const ofSimplifiedChinese = rules(
  '!"\'),-.:;?]}¢·―‖’”•′、。々〉》」』】〕〗〞︰︱︳︴︶︸︺︼︾﹀﹂﹄﹏﹐﹒﹔﹕﹖﹗﹚﹜﹞！），．：；？｜｝～､￠',
  '([{£¥‘“‵〈《「『【〔〖〝︵︷︹︻︽︿﹁﹃﹙﹛﹝（［｛￡￥',
  allStops,
)
const ofTraditionalChinese = rules(
  '!"\'),-.:;?]}¢·•′、。〉》」』】〕〞︰︱︳︴︶︸︺︼︾﹀﹂﹄﹏﹐﹒﹔﹕﹖﹗﹚﹜﹞！），．：；？｜｝､',
  '([{£¥‵〈《「『【〔〝︵︷︹︻︽︿﹁﹃﹙﹛﹝（｛',
  allStops,
)
const ofKorean = rules(
  '!"%\'),.:;>?]}¢°’”′″℃、。〉》」』】〕！％），．：；＞？］｝｡｣､･￠',
  '$([\\{<£¥‘“〈《「『【〔＄（＜［｛｢￡￥￦',
  allStops,
)

function rules(notAtStart: string, notAtEnd: string, hanging: string): LineEndRules {
  return { notAtStart: new Set(notAtStart), notAtEnd: new Set(notAtEnd), hanging: new Set(hanging) }
}

/**
 * The rules of a language tag, such as `ja-JP`. Text without a tag is Chinese, as in LibreOffice; undefined for languages of other
 * scripts, whose text follows UAX #14.
 *
 * Source: measured in LibreOffice with each mark of the blocks of punctuation, at the start and at the end of a line.
 */
export function lineEndRulesOf(language: string | undefined): LineEndRules | undefined {
  if (language === undefined) return ofSimplifiedChinese
  const [primary = '', region = ''] = language.toLowerCase().split(/[-_]/)
  switch (primary) {
    case 'ja':
      return ofJapanese
    case 'ko':
      return ofKorean
    case 'zh':
      return /^(?:tw|hk|mo|hant)$/.test(region) ? ofTraditionalChinese : ofSimplifiedChinese
    default:
      return undefined
  }
}

/** Text of one language, from `start` up to `end` in the text of a paragraph. */
interface LanguageSpan {
  readonly start: number
  readonly end: number
  readonly language: string | undefined
}

/**
 * Replaces the break opportunities among East Asian characters by those of their languages. `breaks` holds 1 where a line
 * may begin. Punctuation belongs to the letters before it. When `isStrict` is false, a line may begin with any East Asian
 * character, but no word of Hangul is divided: its words have spaces between them (observed in LibreOffice and in Word, in
 * every language).
 */
export function setEastAsianBreaks(
  text: string,
  breaks: Uint8Array,
  spans: Iterable<LanguageSpan>,
  { isEastAsian, isStrict }: { isEastAsian: (text: string, at: number) => boolean; isStrict: boolean },
): void {
  let isAmongAsian = false
  for (const { start, end, language } of spans) {
    const lineEnds = lineEndRulesOf(language)
    for (let at = start; at < end; at++) {
      const character = text[at]!
      if (isEastAsian(text, at)) isAmongAsian = true
      else if (letter.test(character)) isAmongAsian = false
      else if (!mark.test(character) || character === replacedObject) continue
      if (!isAmongAsian || lineEnds === undefined || at === 0 || holdsTogether.test(text[at - 1]!)) continue
      const before = text[at - 1]!
      const isForbidden =
        (hangul.test(character) && hangul.test(before)) ||
        (isStrict && (lineEnds.notAtStart.has(character) || lineEnds.notAtEnd.has(before)))
      breaks[at] = isForbidden ? 0 : 1
    }
  }
}

const hangul = /[\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff]/
const letter = /[\p{L}\p{N}]/u
const mark = /[\p{P}\p{S}]/u
/** Stands for pictures and other objects in the text. */
const replacedObject = '\ufffc'
/** Spaces and joiners that keep the characters beside them on one line. */
const holdsTogether = /[\u00a0\u202f\u2060\ufeff]/
