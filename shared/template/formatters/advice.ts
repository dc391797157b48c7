/**
 * Replacements for names from other template languages. They are not formatters, but advice in the error about an
 * unknown one.
 *  Source: template language 21.
 */
const loop =
  'To repeat a part write [i] in a sample of it and [i+1] where the next one begins; nothing is closed.'
const condition =
  'For a text on a condition write {d.x:ifEQ(1):show(yes):elseShow(no)}; for a whole part :showBegin and :showEnd, or :drop.'
const aggregate = 'To read a whole list write [] and an aggregate, as in {d.list[].price:aggSum}.'
const sort = 'To sort a list write the attribute before the iterator: [price, i] and [price+1, i+1].'
const filter = 'To filter a list write the condition in the brackets: [i, price > 10] and [i+1, price > 10].'
const picture =
  'Put the tag in the alternative text of a placeholder picture; :imageFit(contain) says how the picture fits.'
const absent = 'For a text in place of nothing write {d.x:ifEM:show(none)}.'
const translation = 'A value is translated by :t, a text of the template by {t(text)}.'

const entries: Readonly<Record<string, string>> = {
  'for each foreach forEach loop repeat end endfor endFor next': loop,
  'if else elseif elseIf endif endIf unless when then case switch iif': condition,
  'sum total avg average min max': aggregate,
  'sort sortAsc sortDesc sortBy orderBy order': sort,
  'where filter find select': filter,
  'group groupBy distinct unique':
    'To group a list write an attribute in place of i: [city] and [city+1]; each value is shown once.',
  'image img picture photo': picture,
  'default defaultTo or_else coalesce ifNull neutral': absent,
  'translate trans i18n': translation,
  'format number num formatNumber':
    'Numbers are written by :formatN(2), money by :formatC, dates by :formatD(L).',
  'date formatDate dateFormat time datetime':
    'Dates are written by :formatD, as in {d.date:formatD(DD/MM/YYYY)}.',
  'currency money formatCurrency': 'Money is written by :formatC.',
  'upper uppercase_all toUpperCase capitalize title':
    'Letters are changed by :upperCase, :lowerCase, :ucFirst and :ucWords.',
  'join concat implode':
    'Items are joined by :arrayJoin(separator), texts by :append(text) and :prepend(text).',
  'length size': 'The length of a text or list is :len.',
  'percent percentage': 'For a percentage write {d.x:mul(100):formatN(1):append(%)}.',
  'trim strip': 'Parts of a text are taken by :substr(begin, end), characters removed by :replace(old).',
  'plus minus times multiply divide': 'Arithmetic is :add, :sub, :mul and :div.',
  'qrcode qr ean13 ean8 code128 code39':
    'Barcodes are drawn by :barcode(qrcode) in the alternative text of a picture.',
}

const byName: ReadonlyMap<string, string> = new Map(
  Object.entries(entries).flatMap(([names, text]) => names.split(' ').map((name) => [name, text] as const)),
)

const general = 'Names of formatters are case-sensitive; the formatter reference lists all of them.'

/** Advice for an unknown formatter; empty when its message suggests a similar name. */
export const adviceFor = (name: string, similarName: string | undefined): string =>
  byName.get(name) ?? (similarName === undefined ? general : '')
