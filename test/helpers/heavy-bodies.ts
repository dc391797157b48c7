/** Request bodies that are well formed and mean ill, by what they are heavy with. About 16 MB each unless asked otherwise. */

const template = btoa('Hello {d.name}')
const megabytes = 1024 * 1024

function members(name: (at: number) => string, value: string, bytes: number): string {
  const parts: string[] = []
  let size = 0
  for (let at = 0; size < bytes; at++) {
    const part = `"${name(at)}":${value}`
    parts.push(part)
    size += part.length + 1
  }
  return parts.join(',')
}
const plain = (at: number) => `k${at.toString(36)}`
const around = (fields: string) => `{"data":{"name":"Ann"},"template":"${template}",${fields}}`
const repeated = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length))

/** Each as a function of its size in bytes. */
export const heavyBodies: Readonly<Record<string, (bytes: number) => string>> = {
  'members at the top level': (bytes) => `{${members(plain, '1', bytes)}}`,
  'one member at the top level, again and again': (bytes) => `{${members(() => 'lang', '"en"', bytes)}}`,
  'an unknown member of lists': (bytes) => around(`"other":[${repeated('[],', bytes)}0]`),
  'a name without end': (bytes) => around(`"${'x'.repeat(bytes)}":1`),
  'a name of escapes': (bytes) => around(`"${repeated('\\u0061', bytes)}":1`),
  'texts in enum': (bytes) => around(`"enum":{${members(plain, '"x"', bytes)}}`),
  'texts in translations': (bytes) => around(`"translations":{"fr":{${members(plain, '"x"', bytes)}}}`),
  'locales in translations': (bytes) => around(`"translations":{${members(plain, '{}', bytes)}}`),
  'options of a format': (bytes) =>
    around(`"convertTo":{"formatName":"pdf","formatOptions":{${members(plain, '1', bytes)}}}`),
  'rates of currencies': (bytes) => around(`"currencyRates":{${members(plain, '1', bytes)}}`),
  'conditions that stop a render': (bytes) => around(`"failOn":[${repeated('"IMAGE_URL_ERROR",', bytes)}""]`),
  'a name of a report': (bytes) => around(`"reportName":"${'x'.repeat(bytes)}"`),
  'definitions of variables': (bytes) => around(`"variableStr":"${'x'.repeat(bytes)}"`),
  'a number of many digits': (bytes) => around(`"preReleaseFeatureIn":${'9'.repeat(bytes)}`),
  'lists in lists in data': (bytes) =>
    `{"template":"${template}","data":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}`,
  'empty lists in data': (bytes) => `{"template":"${template}","data":[${repeated('[],', bytes)}0]}`,
  'rows of data': (bytes) =>
    `{"template":"${template}","data":{"rows":[${repeated('{"name":"abc def","price":12.5,"quantity":3},', bytes)}{}]}}`,
  'a text in data': (bytes) => `{"template":"${template}","data":{"name":"${'x'.repeat(bytes)}"}}`,
  'members of data in a batch': (bytes) =>
    `{"template":"${template}","batchSplitBy":"d.rows","data":{"rows":[{},{}],${members(plain, '1', bytes)}}}`,
  'items of a batch': (bytes) =>
    `{"template":"${template}","batchSplitBy":"d","data":[${repeated('{},', bytes)}{}]}`,
  'a large template': (bytes) => `{"data":{},"template":"${btoa('Hello name. '.repeat(bytes / 16))}"}`,
  'escapes in a template': (bytes) =>
    `{"data":{},"template":"${repeated(btoa('aa????').replaceAll('/', '\\u002f'), bytes)}"}`,
  'white space': (bytes) => `{"data":{},${' '.repeat(bytes)}"template":"${template}"}`,
}

export const heavyBytes = 16 * megabytes
