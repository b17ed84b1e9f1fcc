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
/** Each value has a mark of its own while there are fewer than this. */
const MAX_MARKED = 100

/** A chart of one variable in an element. Loaded when the first one is shown. */
export class Plot {
  readonly #plot: uPlot
  readonly #watched: ResizeObserver
  /** The whole time, in seconds since 1970. */
  #window = { min: 0, max: 1 }
  /** The part of it that is shown; undefined for the whole time, which moves on. */
  #range: { readonly min: number; readonly max: number } | undefined

  constructor(
    place: HTMLElement,
    name: string,
    /** Called when a part is shown, or the whole time again. */
    readonly onZoom: (isPart: boolean) => void,
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
            label: name,
            stroke: style.getPropertyValue('accent-color'),
            width: 2,
            spanGaps: true,
            paths: uPlot.paths.stepped?.({ align: 1 }) as uPlot.Series.PathBuilder,
            points: { show: ({ data: [times] }) => times.length < MAX_MARKED },
          },
        ],
        hooks: {
          setSelect: [
            ({ select, posToVal }) => {
              if (select.width <= 4) return
              this.#range = {
                min: posToVal(select.left, 'x'),
                max: posToVal(select.left + select.width, 'x'),
              }
              this.onZoom(true)
            },
          ],
        },
      },
      [[], []],
      place,
    )
    this.#plot.over.addEventListener('dblclick', () => this.reset())
    this.#watched = new ResizeObserver(() => {
      if (place.clientWidth > 0) this.#plot.setSize({ width: place.clientWidth, height: HEIGHT })
    })
    this.#watched.observe(place)
  }

  /** Takes the values as they are now. What is zoomed stays as it is. */
  update({ times, values }: Series, window: { readonly min: number; readonly max: number }): void {
    this.#window = window
    this.#plot.setData([times, values])
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
    this.#show(this.#window.min, this.#window.max)
  }

  destroy(): void {
    this.#watched.disconnect()
    this.#plot.destroy()
  }

  #show(min: number, max: number): void {
    const whole = this.#window
    const span = Math.min(max - min, whole.max - whole.min)
    const from = Math.max(whole.min, Math.min(min, whole.max - span))
    this.#range = span < whole.max - whole.min ? { min: from, max: from + span } : undefined
    this.onZoom(this.#range !== undefined)
    this.#plot.setScale('x', this.#limitsOf())
  }

  #limitsOf(): { readonly min: number; readonly max: number } {
    return this.#range ?? this.#window
  }

  get #limits(): uPlot.Range.MinMax {
    const { min, max } = this.#limitsOf()
    return [min, max]
  }
}
