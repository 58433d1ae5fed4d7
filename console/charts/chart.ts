// The data of a chart. The charts are our own SVG, of rectangles and lines: uPlot draws on a canvas, where no colour
// follows the theme, no text is found by a reader, and stacked bars are a plug-in of one's own, for 23 kB compressed.
// These come with the page that shows them.

/** The colours that a chart tells its series apart by. */
export type ChartTone = 'good' | 'calm' | 'warn' | 'limit' | 'bad' | 'first' | 'second'
export type Series = {
  readonly name: string
  readonly tone: ChartTone
  /** One for each column; null: nothing was measured. */
  readonly values: readonly (number | null)[]
}
export type Chart = {
  readonly title: string
  /** From the left to the right. */
  readonly columns: readonly string[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
}
