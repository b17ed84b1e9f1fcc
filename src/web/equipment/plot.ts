import uPlot from 'uplot'
import type { Series } from './recorded-series.js'

const HEIGHT = 180
const clockTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const exactTime = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
/** Marks of an axis that are closer together than this, in seconds, have seconds. */
const EXACT_BELOW_S = 60
const ZOOM = 2

/** A chart of one variable in an element. Loaded when the first one is shown. */
export class Plot {
  readonly #plot: uPlot
  readonly #watched: ResizeObserver
  #range: { readonly min: number; readonly max: number } | undefined

  constructor(
    place: HTMLElement,
    series: Series,
    readonly window: { readonly min: number; readonly max: number },
  ) {
    const style = getComputedStyle(place)
    const axis = {
      stroke: style.getPropertyValue('color'),
      grid: { stroke: style.getPropertyValue('border-top-color'), width: 1 },
      ticks: { stroke: style.getPropertyValue('border-top-color'), width: 1 },
      font: `12px ${style.getPropertyValue('font-family')}`,
    }
    this.#plot = new uPlot(
      {
        width: place.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { drag: { x: true, y: false }, points: { size: 7 } },
        scales: { x: { time: true, range: () => this.#limits } },
        axes: [
          {
            ...axis,
            values: (_, marks) => {
              const isExact = (marks[1] ?? Number.POSITIVE_INFINITY) - (marks[0] ?? 0) < EXACT_BELOW_S
              return marks.map((mark) => (isExact ? exactTime : clockTime).format(mark * 1000))
            },
            space: 80,
          },
          { ...axis, size: 64 },
        ],
        series: [
          {},
          {
            label: series.name,
            stroke: style.getPropertyValue('accent-color'),
            width: 2,
            spanGaps: true,
            paths: uPlot.paths.stepped?.({ align: 1 }) as uPlot.Series.PathBuilder,
            points: { show: series.times.length < 100 },
          },
        ],
        hooks: {
          setSelect: [
            ({ select, posToVal }) => {
              if (select.width > 4)
                this.#range = {
                  min: posToVal(select.left, 'x'),
                  max: posToVal(select.left + select.width, 'x'),
                }
            },
          ],
        },
      },
      [series.times, series.values],
      place,
    )
    this.#plot.over.addEventListener('dblclick', () => this.reset())
    this.#watched = new ResizeObserver(() => {
      if (place.clientWidth > 0) this.#plot.setSize({ width: place.clientWidth, height: HEIGHT })
    })
    this.#watched.observe(place)
  }

  /** Shows half of the time, or twice as much; never more than there is. */
  zoom(isIn: boolean): void {
    const { min, max } = this.#limitsOf()
    const half = ((max - min) / 2) * (isIn ? 1 / ZOOM : ZOOM)
    const middle = (min + max) / 2
    this.#show(middle - half, middle + half)
  }

  /** Moves by a quarter of what is shown, to the right for 1 and to the left for -1. */
  move(direction: 1 | -1): void {
    const { min, max } = this.#limitsOf()
    const by = ((max - min) / 4) * direction
    this.#show(min + by, max + by)
  }

  reset(): void {
    this.#show(this.window.min, this.window.max)
  }

  destroy(): void {
    this.#watched.disconnect()
    this.#plot.destroy()
  }

  #show(min: number, max: number): void {
    const span = Math.min(max - min, this.window.max - this.window.min)
    const from = Math.max(this.window.min, Math.min(min, this.window.max - span))
    this.#range = { min: from, max: from + span }
    this.#plot.setScale('x', this.#range)
  }

  #limitsOf(): { readonly min: number; readonly max: number } {
    return this.#range ?? this.window
  }

  get #limits(): uPlot.Range.MinMax {
    const { min, max } = this.#limitsOf()
    return [min, max]
  }
}
