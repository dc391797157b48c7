// Search: titles, headings and rows of tables of all pages, then text of this one. Runs in browsers, inside each page.
const entries = JSON.parse(document.getElementById('index').textContent).flatMap(([id, title, targets]) => {
  const address = id === 'index' ? '/docs' : `/docs/${id}`
  return [
    [title, address],
    ...targets.map(([text, anchor]) => [`${title} › ${text}`, `${address}#${anchor}`]),
  ]
})
const field = document.getElementById('search')
const results = document.getElementById('results')
const blocks = [...document.querySelectorAll('main p, main li, main td, main pre')]

function item(text, go) {
  const line = document.createElement('li')
  const link = document.createElement('a')
  link.textContent = text
  go(link)
  line.append(link)
  return line
}

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (text) => words.every((word) => text.toLowerCase().includes(word))
  const shortestFirst = (a, b) => a[0].length - b[0].length
  const found =
    words.length === 0
      ? []
      : entries
          .filter(([text]) => fits(text))
          .sort(shortestFirst)
          .slice(0, 20)
  const here = words.length === 0 ? [] : blocks.filter((block) => fits(block.textContent)).slice(0, 10)
  results.replaceChildren(
    ...found.map(([text, address]) => item(text, (link) => (link.href = address))),
    ...here.map((block) =>
      item(`On this page: ${block.textContent.trim().slice(0, 90)}`, (link) => {
        link.href = '#'
        link.addEventListener('click', (event) => {
          event.preventDefault()
          results.hidden = true
          block.scrollIntoView({ block: 'center' })
        })
      }),
    ),
  )
  if (words.length > 0 && results.children.length === 0) results.append(item('Nothing found.', () => {}))
  results.hidden = words.length === 0
}

field.addEventListener('input', search)
if (matchMedia('(max-width: 60rem)').matches) document.querySelector('.pages details').open = false
