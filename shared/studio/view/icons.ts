/** Outlines on a square of 24 units, drawn for this studio. */
const paths = {
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  folder: 'M3 6h6l2 2h10v11H3z',
  save: 'M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6',
  refresh: 'M19 12a7 7 0 1 1-2.2-5.1M19 4v4h-4',
  download: 'M12 4v11M7.5 11 12 15.5 16.5 11M5 20h14',
  theme: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M15.3 15.3 20 20',
  error: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M12 8v5M12 15.8v.4',
  warning: 'M12 4.5 21 19.5H3zM12 10v4.5M12 16.8v.4',
  check: 'M5 12.5 10 17.5 19 7',
  close: 'M6 6 18 18M18 6 6 18',
  list: 'M4 6h16M4 12h16M4 18h16',
  drop: 'M12 4v10M8 10.5 12 14.5l4-4M4 15v5h16v-5',
} as const

export type IconName = keyof typeof paths

export function icon(name: IconName): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', paths[name])
  svg.append(path)
  return svg
}
