/** Code lists of EN 16931 that the rules use. Source: the published code lists of the standard, version 15. */
const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** UNTDID 1001, as EN 16931 restricts it, invoices and credit notes. */
export const documentTypes = list(
  '71 80 81 82 83 84 102 130 202 203 204 211 218 219 261 262 295 296 308 325 326 331 380 381 382 383 384 385 386 387 388 389 390 393 394 395 396 420 456 457 458 471 472 473 500 501 502 503 527 532 553 575 623 633 751 780 817 870 875 876 877 935',
)

export const creditNoteTypes = list('81 83 261 262 296 308 381 396 420 458 502 503 532')

/** UNTDID 4461. */
export const paymentMeans = list(
  '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 74 75 76 77 78 91 92 93 94 95 96 97 98 ZZZ Z01 Z02',
)

export const vatCategories = list('S Z E AE K G O L M B')

export const mimeTypes = list(
  'application/pdf image/png image/jpeg text/csv application/vnd.openxmlformats-officedocument.spreadsheetml.sheet application/vnd.oasis.opendocument.spreadsheet',
)

/** UNTDID 5189, as EN 16931 restricts it. */
export const allowanceReasons = list('41 42 60 62 63 64 65 66 67 68 70 71 88 95 100 102 103 104 105')

/** The dates that VAT falls due on: UNTDID 2475 in CII, 2005 in UBL. */
export const taxPointCodes = { CII: list('5 29 72'), UBL: list('3 35 432') } as const

/** The International Code Designators of ISO 6523, from first to last, but for numbers that were never given out. */
const withoutScheme = new Set([92, 103, 181, 182])
const lastScheme = 248
export const identifierSchemes: ReadonlySet<string> = new Set(
  Array.from({ length: lastScheme }, (_, index) => index + 1)
    .filter((number) => !withoutScheme.has(number))
    .map((number) => String(number).padStart(4, '0')),
)

/** Electronic Address Schemes of the European Commission. */
export const addressSchemes = list(
  '0002 0007 0009 0037 0060 0088 0096 0097 0106 0130 0135 0142 0147 0151 0154 0158 0170 0177 0183 0184 0188 0190 0191 0192 0193 0194 0195 0196 0198 0199 0200 0201 0202 0203 0204 0205 0208 0209 0210 0211 0212 0213 0215 0216 0217 0218 0219 0220 0221 0225 0230 0235 0240 0242 0244 0245 0246 0248 9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9936 9937 9938 9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959 AN AQ AS AU EM',
)

/** VAT exemption reasons (VATEX) without their prefix, in capitals. */
const exemptionsOfTheUnion =
  '79-C 132 132-1A 132-1B 132-1C 132-1D 132-1E 132-1F 132-1G 132-1H 132-1I 132-1J 132-1K 132-1L 132-1M 132-1N 132-1O 132-1P 132-1Q 135-1 143 143-1A 143-1B 143-1C 143-1D 143-1E 143-1F 143-1FA 143-1G 143-1H 143-1I 143-1J 143-1K 143-1L 144 146-1E 148 148-A 148-B 148-C 148-D 148-E 148-F 148-G 151 151-1A 151-1AA 151-1B 151-1C 151-1D 151-1E 153 159 309 AE D F G I IC J O'
const exemptionsOfFrance =
  'FRANCHISE CNWVAT AE 298SEXDECIESA CGI261-1 CGI261-2 CGI261-3 CGI261-4 CGI261-5 CGI261-7 CGI261-8 CGI261A CGI261B CGI261C-1 CGI261C-2 CGI261C-3 CGI261D-1 CGI261D-1BIS CGI261D-2 CGI261D-3 CGI261D-4 CGI261E-1 CGI261E-2 CGI275 CGI277A CGI295'
export const exemptionReasons: ReadonlySet<string> = new Set([
  ...exemptionsOfTheUnion.split(' ').map((code) => `VATEX-EU-${code}`),
  ...exemptionsOfFrance.split(' ').map((code) => `VATEX-FR-${code}`),
])

/** ISO 4217. */
export const currencies = list(
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG ZWL',
)

/** ISO 3166-1 alpha-2, with 1A (Kosovo) and XI (Northern Ireland), which EN 16931 adds. */
export const countries = list(
  '1A AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XI YE YT ZA ZM ZW',
)
