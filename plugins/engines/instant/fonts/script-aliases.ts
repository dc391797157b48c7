import { hanFamilies } from './fallback-families.ts'

/** Families of scripts other than Latin, Greek and Cyrillic, and the installed ones that replace them. */
export interface ScriptAliases {
  readonly to: readonly string[]
  readonly families: readonly string[]
}

/** The families of a script without serifs and with serifs, in that order. */
const ofScript = (script: string, sans: string, serif: string): ScriptAliases[] => [
  { to: [`Noto Sans ${script}`], families: names(sans) },
  { to: [`Noto Serif ${script}`, `Noto Sans ${script}`], families: names(serif) },
]

function names(list: string): readonly string[] {
  return list === '' ? [] : list.split(', ')
}

export const scriptAliases: readonly ScriptAliases[] = [
  {
    to: hanFamilies('JP', 'sans'),
    families: names(
      'MS PGothic, MS UI Gothic, Yu Gothic, Yu Gothic UI, Yu Gothic Light, Yu Gothic Medium, YuGothic, Meiryo, Meiryo UI, BIZ UDPGothic, BIZ UDGothic, UD Digi Kyokasho N-R, HGPGothicE, HGGothicM, HGSoeiKakugothicUB, HGPSoeiKakugothicUB, HGMaruGothicMPRO, HGSGothicM, HGPGothicM, Hiragino Sans, Hiragino Kaku Gothic Pro, Hiragino Kaku Gothic ProN, Hiragino Maru Gothic ProN, Hiragino Sans GB W3, Osaka, Noto Sans JP, Source Han Sans, Source Han Sans JP, Kozuka Gothic Pro, Kozuka Gothic Pr6N, A-OTF Shin Go Pro, IPAGothic, IPAPGothic, IPAexGothic, Takao Gothic, TakaoPGothic, VL Gothic, VL PGothic, M+ 1p, ＭＳ Ｐゴシック, 游ゴシック, 游ゴシック Light, 游ゴシック Medium, メイリオ, ヒラギノ角ゴ Pro W3, ヒラギノ角ゴ ProN W3, ヒラギノ丸ゴ Pro W4, HG丸ｺﾞｼｯｸM-PRO, HG創英角ｺﾞｼｯｸUB, HGP創英角ｺﾞｼｯｸUB, HGPｺﾞｼｯｸE, HGPｺﾞｼｯｸM, HGｺﾞｼｯｸM',
    ),
  },
  // Their Latin letters are all of one width.
  { to: hanFamilies('JP', 'mono'), families: names('MS Gothic, ＭＳ ゴシック, Osaka-Mono') },
  {
    to: hanFamilies('JP', 'serif'),
    families: names(
      'MS Mincho, MS PMincho, Yu Mincho, Yu Mincho Light, Yu Mincho Demibold, YuMincho, BIZ UDMincho, BIZ UDPMincho, HGMinchoB, HGMinchoE, HGPMinchoE, HGSMinchoE, HGKyokashotai, HGSeikaishotaiPRO, Hiragino Mincho Pro, Hiragino Mincho ProN, Kozuka Mincho Pro, Kozuka Mincho Pr6N, Noto Serif JP, Source Han Serif, Source Han Serif JP, IPAMincho, IPAPMincho, IPAexMincho, Takao Mincho, TakaoPMincho, ＭＳ 明朝, ＭＳ Ｐ明朝, 游明朝, 游明朝 Light, 游明朝 Demibold, ヒラギノ明朝 Pro W3, ヒラギノ明朝 ProN W3, HG明朝B, HG明朝E, HGP明朝E, HG教科書体, HG正楷書体-PRO',
    ),
  },
  {
    to: hanFamilies('SC', 'sans'),
    families: names(
      'Microsoft YaHei, Microsoft YaHei UI, Microsoft YaHei Light, SimHei, DengXian, DengXian Light, Heiti SC, STHeiti, STXihei, PingFang SC, Hiragino Sans GB, Noto Sans SC, Source Han Sans CN, Source Han Sans SC, WenQuanYi Zen Hei, WenQuanYi Micro Hei, Droid Sans Fallback, YouYuan, LiSu, FZLanTingHeiS-R-GB, HarmonyOS Sans SC, Alibaba PuHuiTi, 微软雅黑, 微软雅黑 Light, 黑体, 等线, 等线 Light, 华文黑体, 华文细黑, 苹方-简, 幼圆, 隶书, 思源黑体, 思源黑体 CN',
    ),
  },
  {
    to: hanFamilies('SC', 'serif'),
    families: names(
      'SimSun, NSimSun, SimSun-ExtB, SimSun-ExtG, New SimSun, FangSong, FangSong_GB2312, KaiTi, KaiTi_GB2312, STSong, STZhongsong, STFangsong, STKaiti, Songti SC, Kaiti SC, Noto Serif SC, Source Han Serif CN, Source Han Serif SC, AR PL UMing CN, AR PL SungtiL GB, FZShuSong-Z01S, FZXiaoBiaoSong-B05S, FZFangSong-Z02S, FZKai-Z03S, 宋体, 新宋体, 仿宋, 仿宋_GB2312, 楷体, 楷体_GB2312, 华文宋体, 华文中宋, 华文仿宋, 华文楷体, 方正书宋_GBK, 方正书宋简体, 方正小标宋简体, 方正小标宋_GBK, 方正仿宋_GBK, 方正仿宋简体, 方正楷体_GBK, 方正楷体简体, 思源宋体, 思源宋体 CN',
    ),
  },
  {
    to: hanFamilies('TC', 'sans'),
    families: names(
      'Microsoft JhengHei, Microsoft JhengHei UI, Microsoft JhengHei Light, PingFang TC, Heiti TC, LiHei Pro, Noto Sans TC, Source Han Sans TW, Source Han Sans TC, 微軟正黑體, 微軟正黑體 Light, 蘋方-繁, 儷黑 Pro, 華康中黑體, 思源黑體',
    ),
  },
  {
    to: hanFamilies('TC', 'serif'),
    families: names(
      'MingLiU, PMingLiU, MingLiU-ExtB, PMingLiU-ExtB, DFKai-SB, BiauKai, LiSong Pro, Songti TC, Kaiti TC, Noto Serif TC, Source Han Serif TW, Source Han Serif TC, AR PL UMing TW, AR PL UKai TW, 細明體, 新細明體, 標楷體, 儷宋 Pro, 華康細明體, 思源宋體',
    ),
  },
  { to: hanFamilies('HK', 'sans'), families: names('PingFang HK, Noto Sans HK, Source Han Sans HK') },
  {
    to: hanFamilies('HK', 'serif'),
    families: names(
      'MingLiU_HKSCS, MingLiU_HKSCS-ExtB, Noto Serif HK, Source Han Serif HK, AR PL UMing HK, 細明體_HKSCS',
    ),
  },
  {
    to: hanFamilies('KR', 'sans'),
    families: names(
      'Malgun Gothic, Malgun Gothic Semilight, Gulim, Dotum, Apple SD Gothic Neo, AppleGothic, Nanum Gothic, NanumGothic, NanumBarunGothic, NanumSquare, Noto Sans KR, Source Han Sans K, Source Han Sans KR, UnDotum, Baekmuk Gulim, Baekmuk Dotum, HYGothic-Medium, HYGothic-Extra, HY견고딕, HY중고딕, Haansoft Dotum, HCR Dotum, New Gulim, Pretendard, 맑은 고딕, 굴림, 새굴림, 돋움, 나눔고딕, 나눔바른고딕, 나눔스퀘어, 함초롬돋움, 한컴돋움, 휴먼고딕',
    ),
  },
  {
    to: hanFamilies('KR', 'mono'),
    families: names('GulimChe, DotumChe, Nanum Gothic Coding, NanumGothicCoding, 굴림체, 돋움체'),
  },
  {
    to: hanFamilies('KR', 'serif'),
    families: names(
      'Batang, BatangChe, Gungsuh, GungsuhChe, AppleMyungjo, Nanum Myeongjo, NanumMyeongjo, Noto Serif KR, Source Han Serif K, Source Han Serif KR, UnBatang, Baekmuk Batang, HYMyeongJo-Extra, HYSinMyeongJo-Medium, HY견명조, HY신명조, Haansoft Batang, HCR Batang, 바탕, 바탕체, 궁서, 궁서체, 나눔명조, 함초롬바탕, 한컴바탕, 휴먼명조',
    ),
  },
  {
    to: ['Noto Sans Arabic', 'DejaVu Sans'],
    families: names(
      'Dubai, Geeza Pro, Tajawal, Cairo, Almarai, IRANSans, IRANSansX, Vazir, Vazirmatn, B Yekan, B Koodak, B Homa, Samim, Neo Sans Arabic, GE SS Two, Noto Kufi Arabic, Droid Arabic Kufi, Simplified Arabic Fixed',
    ),
  },
  {
    to: ['Noto Naskh Arabic', 'Noto Sans Arabic', 'DejaVu Sans'],
    families: names(
      'Traditional Arabic, Simplified Arabic, Arabic Typesetting, Arabic Transparent, Sakkal Majalla, Majalla UI, Aldhabi, Andalus, DecoType Naskh, Urdu Typesetting, Amiri, Scheherazade, Scheherazade New, Al Bayan, Baghdad, Al Nile, Droid Arabic Naskh, KacstBook, KacstOne, AL-Mohanad, B Nazanin, B Nazanin Outline, B Lotus, B Mitra, B Zar, B Titr, B Traffic, XB Zar, IRLotus, Nazanin, Lotus, Mitra, Zar',
    ),
  },
  {
    to: ['Noto Nastaliq Urdu', 'Noto Naskh Arabic', 'Noto Sans Arabic'],
    families: names(
      'Jameel Noori Nastaleeq, Alvi Nastaleeq, Nafees Nastaleeq, Nafees Web Naskh, Awami Nastaliq',
    ),
  },
  ...ofScript(
    'Hebrew',
    'Gisha, Miriam, Miriam Fixed, Miriam CLM, Levenim MT, Rod, Aharoni, Arial Hebrew, Heebo, Assistant, Rubik, Alef, Nachlieli CLM',
    'David, David CLM, David Libre, FrankRuehl, Frank Ruehl CLM, Frank Ruhl Libre, Narkisim, Narkisim MT, Guttman David, Guttman Frank, Guttman Yad, New Peninim MT, SBL Hebrew, Ezra SIL',
  ),
  ...ofScript(
    'Devanagari',
    'Nirmala UI, Nirmala Text, Lohit Devanagari, Lohit Hindi, Lohit Marathi, Lohit Nepali, Devanagari Sangam MN, Kohinoor Devanagari, Hind, Mukta',
    'Mangal, Kokila, Utsaah, Aparajita, Sanskrit Text, Sanskrit 2003, Chandas, Devanagari MT, Annapurna SIL, Tiro Devanagari Hindi',
  ),
  ...ofScript(
    'Bengali',
    'Lohit Bengali, Bangla Sangam MN, Hind Siliguri, Siyam Rupali, Mukti',
    'Vrinda, Shonar Bangla, SolaimanLipi, Nikosh, NikoshBAN, Kalpurush, Bangla MN, Tiro Bangla',
  ),
  ...ofScript(
    'Gurmukhi',
    'Raavi, Lohit Punjabi, Lohit Gurmukhi, Gurmukhi MN, Gurmukhi Sangam MN',
    'AnmolUni',
  ),
  ...ofScript('Gujarati', 'Lohit Gujarati, Gujarati Sangam MN, Hind Vadodara', 'Shruti, Gujarati MT, Rekha'),
  ...ofScript('Tamil', 'Latha, Lohit Tamil, Tamil Sangam MN, InaiMathi', 'Vijaya, Tamil MN'),
  ...ofScript('Telugu', 'Gautami, Lohit Telugu, Telugu Sangam MN, Pothana2000', 'Vani, Telugu MN'),
  ...ofScript('Kannada', 'Tunga, Lohit Kannada, Kannada Sangam MN, Kedage', 'Kannada MN'),
  ...ofScript(
    'Malayalam',
    'Lohit Malayalam, Malayalam Sangam MN, Manjari, Meera',
    'Kartika, Rachana, AnjaliOldLipi, Malayalam MN',
  ),
  ...ofScript('Sinhala', 'Lohit Sinhala, Sinhala Sangam MN', 'Iskoola Pota, Sinhala MN, LKLUG'),
  { to: ['Noto Sans Oriya'], families: names('Kalinga, Lohit Odia, Lohit Oriya, Oriya MN, Oriya Sangam MN') },
  ...ofScript(
    'Thai',
    'Leelawadee, Leelawadee UI, Leelawadee UI Semilight, Cordia New, CordiaUPC, Browallia New, BrowalliaUPC, DilleniaUPC, LilyUPC, TH Sarabun New, TH SarabunPSK, TH Sarabun PSK, TH Niramit AS, TH Baijam, Sarabun, Thonburi, Prompt, Kanit, Loma, Garuda, Waree, Ayuthaya',
    'Angsana New, AngsanaUPC, EucrosiaUPC, FreesiaUPC, IrisUPC, JasmineUPC, KodchiangUPC, Norasi, Kinnari, Laksaman, Silom, Krungthep',
  ),
  ...ofScript(
    'Lao',
    'Lao UI, Lao Sangam MN, Phetsarath OT, Phetsarath',
    'DokChampa, Saysettha OT, Saysettha Lao',
  ),
  ...ofScript(
    'Khmer',
    'Khmer UI, Khmer OS System, Khmer OS Content, Khmer OS Battambang, Khmer Sangam MN',
    'DaunPenh, MoolBoran, Khmer OS, Khmer OS Siemreap, Khmer OS Muol Light, Khmer MN',
  ),
  ...ofScript('Myanmar', 'Myanmar Text, Myanmar3, Pyidaungsu, Myanmar Sangam MN', 'Padauk, Myanmar MN'),
  ...ofScript('Ethiopic', 'Ebrima, Kefa', 'Nyala, Abyssinica SIL, Power Geez Unicode1'),
  ...ofScript('Armenian', 'Mshtakan, Arial AMU, GHEA Grapalat', 'GHEA Mariam'),
  ...ofScript('Georgian', 'BPG Arial, BPG Glaho', 'BPG Nino Mtavruli, BPG Nateli, LitNusx'),
  {
    to: ['Noto Serif Tibetan'],
    families: names('Microsoft Himalaya, Kailasa, Kokonor, Jomolhari, Qomolangma-Uchen Sarchen'),
  },
  { to: ['Noto Sans Syriac'], families: names('Estrangelo Edessa, Segoe UI Historic') },
  { to: ['Noto Sans Thaana'], families: names('MV Boli, Faruma') },
  { to: ['Noto Sans Mongolian'], families: names('Mongolian Baiti') },
  { to: ['Noto Sans Yi'], families: names('Microsoft Yi Baiti') },
  { to: ['Noto Sans Tai Le'], families: names('Microsoft Tai Le') },
  { to: ['Noto Sans New Tai Lue'], families: names('Microsoft New Tai Lue') },
  { to: ['Noto Sans PhagsPa'], families: names('Microsoft PhagsPa') },
  { to: ['Noto Sans Javanese'], families: names('Javanese Text') },
  { to: ['Noto Sans Cherokee', 'Noto Sans Canadian Aboriginal'], families: names('Gadugi') },
  { to: ['Noto Sans Canadian Aboriginal'], families: names('Euphemia, Euphemia UCAS') },
]
