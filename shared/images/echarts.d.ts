/**
 * Declarations of the parts of the chart library that are used here. Its own declarations import without file
 * extensions, which does not resolve under the rules of this project.
 */
declare module 'echarts/core' {
  export interface Installed {
    readonly installs: unknown
  }
  export interface Chart {
    setOption(option: object): void
    renderToSVGString(): string
    dispose(): void
  }
  export interface InitOptions {
    readonly renderer: 'svg'
    readonly ssr: true
    readonly width: number
    readonly height: number
    readonly locale: string
  }
  export function use(parts: readonly Installed[]): void
  export function init(element: null, theme: string | undefined, options: InitOptions): Chart
  export function registerLocale(name: string, words: object): void
  export function setPlatformAPI(api: {
    measureText(text: string, font?: string): { readonly width: number }
  }): void
}
declare module 'echarts/charts' {
  import type { Installed } from 'echarts/core'
  export const BarChart: Installed
  export const BoxplotChart: Installed
  export const CandlestickChart: Installed
  export const EffectScatterChart: Installed
  export const FunnelChart: Installed
  export const GaugeChart: Installed
  export const GraphChart: Installed
  export const HeatmapChart: Installed
  export const LineChart: Installed
  export const ParallelChart: Installed
  export const PictorialBarChart: Installed
  export const PieChart: Installed
  export const RadarChart: Installed
  export const SankeyChart: Installed
  export const ScatterChart: Installed
  export const SunburstChart: Installed
  export const ThemeRiverChart: Installed
  export const TreeChart: Installed
  export const TreemapChart: Installed
}
declare module 'echarts/components' {
  import type { Installed } from 'echarts/core'
  export const CalendarComponent: Installed
  export const DatasetComponent: Installed
  export const DataZoomComponent: Installed
  export const GraphicComponent: Installed
  export const GridComponent: Installed
  export const LegendComponent: Installed
  export const MarkAreaComponent: Installed
  export const MarkLineComponent: Installed
  export const MarkPointComponent: Installed
  export const ParallelComponent: Installed
  export const PolarComponent: Installed
  export const RadarComponent: Installed
  export const SingleAxisComponent: Installed
  export const TitleComponent: Installed
  export const TooltipComponent: Installed
  export const TransformComponent: Installed
  export const VisualMapComponent: Installed
}
declare module 'echarts/features' {
  import type { Installed } from 'echarts/core'
  export const LabelLayout: Installed
}
declare module 'echarts/renderers' {
  import type { Installed } from 'echarts/core'
  export const SVGRenderer: Installed
}
