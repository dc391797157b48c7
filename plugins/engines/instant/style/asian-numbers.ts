/**
 * Formats a counter in one of the East Asian, Indian, Hebrew or Arabic formats of ECMA-376-1 17.18.59;
 * undefined when `format` is none of these.
 */
import { entryOf } from '../../../../shared/entry-of.ts'

export function asianNumber(value: number, format: string): string | undefined {
  const form = entryOf(forms, format)
  if (form === undefined) return undefined
  return value > 0 ? (form(value) ?? String(value)) : String(value)
}

/**
 * Formats a positive counter; undefined when the format ends before it, and the counter is then written in
 * decimal.
 */
type NumberForm = (value: number) => string | undefined

/** A finite list of letters; larger values are written in decimal. */
const list =
  (letters: string): NumberForm =>
  (value) =>
    [...letters][value - 1]
/** A list of letters that starts again at its end. */
const cycle = (letters: string): NumberForm => {
  const all = [...letters]
  return (value) => all[(value - 1) % all.length]
}
/** One character for each decimal digit. */
const positional =
  (digits: string): NumberForm =>
  (value) =>
    String(value).replace(/\d/g, (digit) => [...digits][Number(digit)] ?? digit)

/** A number system that writes a digit before each power of ten. */
interface Units {
  /** The digits from zero to nine. */
  readonly digits: string
  /** The characters for ten, a hundred and a thousand. */
  readonly units: string
  /** Where the digit one is omitted before a unit: never, only in the numbers from 10 to 19, or always. */
  readonly omitOne: 'never' | 'leading-ten' | 'always'
  /** The character written once for skipped powers of ten. */
  readonly gap: string
}

/** Digits with units, up to 9,999. */
const counted =
  ({ digits, units, omitOne, gap }: Units): NumberForm =>
  (value) => {
    if (value > 9999) return undefined
    const [signs, names] = [[...digits], [...units]]
    let text = ''
    let skipped = false
    for (let power = String(value).length - 1; power >= 0; power--) {
      const digit = Math.floor(value / 10 ** power) % 10
      if (digit === 0) {
        skipped = true
        continue
      }
      if (skipped && text !== '') text += gap
      skipped = false
      const unit = power === 0 ? '' : (names[power - 1] ?? '')
      const omitsDigit =
        digit === 1 &&
        power > 0 &&
        (omitOne === 'always' || (omitOne === 'leading-ten' && power === 1 && value < 20))
      text += (omitsDigit ? '' : (signs[digit] ?? '')) + unit
    }
    return text
  }

const han = '〇一二三四五六七八九'
const chinese = counted({ digits: han, units: '十百千', omitOne: 'leading-ten', gap: '零' })
const katakana =
  'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン'
const iroha =
  'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン'
const narrow = 'ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜｦﾝ'
/** Half-width kana; two obsolete letters have no such form and stay as they are. */
const narrowed = (letters: string): string =>
  [...letters].map((letter) => [...narrow][[...katakana].indexOf(letter)] ?? letter).join('')

const koreanOnes = ['', '하나', '둘', '셋', '넷', '다섯', '여섯', '일곱', '여덟', '아홉']
const koreanTens = ['', '열', '스물', '서른', '마흔', '쉰', '예순', '일흔', '여든', '아흔']
const koreanWords: NumberForm = (value) =>
  value > 99 ? undefined : `${koreanTens[Math.floor(value / 10)] ?? ''}${koreanOnes[value % 10] ?? ''}`

const circled: NumberForm = (value) => {
  const first = value <= 20 ? 0x2460 - 1 : value <= 35 ? 0x3251 - 21 : 0x32b1 - 36
  return value <= 50 ? String.fromCharCode(first + value) : undefined
}

const hebrewOnes = 'אבגדהוזחט'
const hebrewTens = 'יכלמנסעפצ'
const hebrewHundreds = ['', 'ק', 'ר', 'ש', 'ת', 'תק', 'תר', 'תש', 'תת', 'תתק']
/** Hebrew numerals. 15 and 16 are written as 9 + 6 and 9 + 7. */
const hebrew: NumberForm = (value) => {
  if (value > 999) return undefined
  const rest = value % 100
  const below =
    rest === 15 || rest === 16
      ? `ט${hebrewOnes[rest - 10] ?? ''}`
      : (hebrewTens[Math.floor(rest / 10) - 1] ?? '') + (hebrewOnes[(rest % 10) - 1] ?? '')
  return (hebrewHundreds[Math.floor(value / 100)] ?? '') + below
}
/** Counted like the columns of a spreadsheet: after the last letter come pairs. */
const hebrewLetters: NumberForm = (value) => {
  const letters = 'אבגדהוזחטיכלמנסעפצקרשת'
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / letters.length))
    text = (letters[(rest - 1) % letters.length] ?? '') + text
  return text
}

const forms: Readonly<Record<string, NumberForm>> = {
  chineseCounting: chinese,
  chineseCountingThousand: chinese,
  taiwaneseCounting: chinese,
  taiwaneseCountingThousand: chinese,
  ideographDigital: chinese,
  japaneseCounting: counted({ digits: han, units: '十百千', omitOne: 'always', gap: '' }),
  japaneseLegal: counted({ digits: '零壱弐参四伍六七八九', units: '拾百千', omitOne: 'never', gap: '' }),
  chineseLegalSimplified: counted({
    digits: '零壹贰叁肆伍陆柒捌玖',
    units: '拾佰仟',
    omitOne: 'never',
    gap: '零',
  }),
  ideographLegalTraditional: counted({
    digits: '零壹貳參肆伍陸柒捌玖',
    units: '拾佰仟',
    omitOne: 'never',
    gap: '零',
  }),
  ideographTraditional: list('甲乙丙丁戊己庚辛壬癸'),
  ideographZodiac: list('子丑寅卯辰巳午未申酉戌亥'),
  decimalEnclosedCircleChinese: circled,
  ideographEnclosedCircle: circled,
  aiueo: cycle(narrow),
  aiueoFullWidth: cycle(katakana),
  iroha: cycle(narrowed(iroha)),
  irohaFullWidth: cycle(iroha),
  ganada: cycle('가나다라마바사아자차카타파하'),
  chosung: cycle('ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ'),
  koreanDigital: positional('영일이삼사오육칠팔구'),
  koreanDigital2: positional('零一二三四五六七八九'),
  koreanCounting: counted({ digits: '영일이삼사오육칠팔구', units: '십백천', omitOne: 'always', gap: '' }),
  koreanLegal: koreanWords,
  thaiNumbers: positional('๐๑๒๓๔๕๖๗๘๙'),
  hindiVowels: cycle('कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह'),
  hebrew1: hebrew,
  hebrew2: hebrewLetters,
  arabicAbjad: cycle('ابجدهوزحطيكلمنسعفصقرشتثخذضظغ'),
}
