/** Collects facts about a loaded page in one call. Runs inside the browser, where no script of the document runs. */
export interface PageFacts {
  /** Pictures and fonts that are still loading. */
  readonly pending: number
  readonly title: string
  readonly headings: boolean
  readonly language: string
  readonly information: Readonly<Record<string, string>> // of its <meta name> elements
  readonly header?: RunningElement
  readonly footer?: RunningElement
  /** The page was not well-formed XML, and its display ends at the error. */
  readonly broken: boolean
  /** The size of a drawing that is the whole document, in px. */
  readonly drawing?: { readonly width: number; readonly height: number }
}

/** An element with `data-page-header` or `data-page-footer`, which is moved from the text to every page. */
export interface RunningElement {
  readonly html: string // with the style sheets of the page
  readonly height: number // px
}

export const pageFacts = `(() => {
  const mistakes = () => document.getElementsByTagNameNS('*', 'parsererror').length > 0
  const root = document.documentElement
  if (root === null) return { pending: 0, title: '', headings: false, language: '', information: {}, broken: false }
  if (root.namespaceURI === 'http://www.w3.org/2000/svg') {
    const box = root.viewBox.baseVal
    const side = (name) => {
      const length = root[name].baseVal
      return root.hasAttribute(name) && length.unitType !== 2 ? length.value : undefined
    }
    const [w, h] = [side('width'), side('height')]
    const shape = box && box.width > 0 && box.height > 0 ? box.width / box.height : 2
    const width = w ?? (h === undefined ? (box && box.width > 0 ? box.width : 300) : h * shape)
    const title = root.querySelector(':scope > title')?.textContent ?? ''
    return { pending: 0, title, headings: false, language: '', information: {}, broken: mistakes(),
      drawing: { width, height: h ?? width / shape } }
  }
  for (const image of document.querySelectorAll('img[loading=lazy]')) image.loading = 'eager'
  let pending = document.fonts.status === 'loading' ? 1 : 0
  for (const image of document.images) if (!image.complete) pending++
  const information = {}
  for (const meta of document.querySelectorAll('meta[name][content]')) {
    const name = meta.name.toLowerCase()
    if (['author', 'description', 'subject', 'keywords', 'generator'].includes(name)) information[name] = meta.content.slice(0, 2000)
  }
  const take = (name) => {
    const element = document.querySelector('[' + name + ']')
    if (element === null) return undefined
    const styles = [...document.querySelectorAll('style')].map((style) => style.outerHTML).join('')
    const height = element.getBoundingClientRect().height
    element.removeAttribute(name)
    const html = styles + element.outerHTML
    element.remove()
    return { html, height }
  }
  const running = pending === 0 ? { header: take('data-page-header'), footer: take('data-page-footer') } : {}
  return { pending, title: document.title.slice(0, 2000), headings: document.querySelector('h1,h2,h3,h4,h5,h6') !== null, language: root.lang, information, ...running,
    broken: document.contentType !== 'text/html' && mistakes() }
})()`
