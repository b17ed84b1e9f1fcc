import type { Trace } from '../../contract/topics/traces.js'
import { cut } from '../../kit/text/columns.js'
import { visible } from '../../kit/text/visible-text.js'
import { chartLines } from '../output/chart.js'
import type { Sample } from './trace-samples.js'

export interface Screen {
  readonly columns: number
  readonly rows: number
  /** ASCII alone. */
  readonly isPlain: boolean
}

/** A chart is no higher: the eye follows a low one as well. */
const MAX_ROWS = 6
/** Values that are kept of a variable: more than any terminal has columns. */
const MAX_VALUES = 1000

/** Charts of a trace's variables, one below the other, drawn anew in place with every sample. */
export class TracePlot {
  readonly #series: number[][]
  #latest: Sample | undefined
  #drawn = 0

  constructor(
    private readonly trace: Trace,
    private readonly screen: () => Screen,
  ) {
    this.#series = trace.variables.map(() => [])
  }

  /** The text that draws the sample: it moves the cursor up over the previous drawing. */
  next(sample: Sample): string {
    this.#latest = sample
    for (const [at, { text }] of sample.values.entries()) {
      const series = this.#series[at]
      series?.push(text === '' ? Number.NaN : Number(text))
      if (series && series.length > MAX_VALUES) series.shift()
    }
    const lines = this.#lines()
    const up = this.#drawn === 0 ? '' : `\u001b[${this.#drawn}A\u001b[J`
    this.#drawn = lines.length
    return `${up}${lines.map((line) => `${line}\n`).join('')}`
  }

  #lines(): string[] {
    const { columns, rows, isPlain } = this.screen()
    const { variables, samples } = this.trace
    const shown = variables.slice(0, Math.max(1, Math.floor((rows - 2) / 2)))
    const height = Math.max(1, Math.min(MAX_ROWS, Math.floor((rows - 2) / shown.length) - 1))
    const width = Math.max(20, columns - 1)
    const charts = shown.flatMap(({ id, name, unit }, at) => {
      const title = `${name || id} ${this.#latest?.values[at]?.text ?? ''} ${unit ?? ''}`.trimEnd()
      const series = this.#series[at] ?? []
      const isNumeric = series.some(Number.isFinite)
      return [title, ...(isNumeric ? chartLines(series, { width, height, isPlain }) : [])]
    })
    const hidden = variables.length - shown.length
    const more = hidden > 0 ? `, ${hidden} more variables do not fit` : ''
    return [...charts, `sample ${this.#latest?.number ?? 0} of ${samples}${more}`].map((line) =>
      cut(visible(line), width, isPlain),
    )
  }
}
