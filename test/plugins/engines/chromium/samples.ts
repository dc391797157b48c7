export const page = `<!doctype html><html lang="de"><head><title>Grüße</title>
<meta name="author" content="Jürgen Groß"><meta name="keywords" content="eins, zwei"><meta name="description" content="Ein (kurzer) Text">
<style>@page { size: A5 landscape } body { font: 11pt Carlito } td { border: 1px solid #999; background: #cde }</style></head>
<body><h1>Überschrift</h1><p>Grüße, naïve façade: 12 €.</p><table><tr><td>Item<td>12</table></body></html>`

export const xmlPage = `<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title></head><body><div/><p>Grüße</p></body></html>`

export const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 150"><title>Kreis</title>
<rect width="300" height="150" fill="#ddeeff"/><circle cx="80" cy="70" r="50" fill="orange"/><text x="150" y="80" font-size="30">Grüße</text></svg>`
