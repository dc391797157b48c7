/**
 * Runs inside an image or on a fresh machine: waits for the service, and renders by each engine that it promises.
 *   image-renders.mjs PORT LETTERS, such as 4000 ILC
 */
import { readFileSync } from 'node:fs'

const [port, letters] = process.argv.slice(2)
const url = `http://127.0.0.1:${port}`
const folder = 'test/fixtures/templates/letter/' // below the folder of the service, where this runs
const letter = readFileSync(`${folder}template.docx`, 'base64')
const data = JSON.parse(readFileSync(`${folder}data.json`, 'utf8'))
const page = Buffer.from('<h1>Hello {d.name}</h1>').toString('base64')

const isReady = () =>
  fetch(`${url}/status?ready=1`).then(
    ({ ok }) => ok,
    () => false,
  )
for (let second = 0; !(await isReady()); second++) {
  if (second === 1200) throw new Error('The service does not become ready.')
  await new Promise((resolve) => setTimeout(resolve, 1000))
}
for (const converter of letters) {
  const template = converter === 'C' ? page : letter
  const answer = await fetch(`${url}/render/template?download=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ template, data, convertTo: 'pdf', converter }),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok || bytes.toString('latin1', 0, 5) !== '%PDF-')
    throw new Error(`Engine ${converter} made no PDF: ${answer.status} ${bytes.toString('utf8', 0, 300)}`)
  console.log(`Engine ${converter} made a PDF of ${bytes.length} bytes.`)
}
