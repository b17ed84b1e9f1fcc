import uPlot from 'uplot'
import type { Mark } from './chart-marks.js'
import type { heldAt, Series } from './recorded-series.js'
import type { Span } from './time-span.js'

/** Room for half of the last time of the axis, in rem. */
const EDGE = 2.3
const clockTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const exactTime = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
/** Marks of an axis that are closer together than this, in seconds, have seconds. */
const EXACT_BELOW_S = 60
/** Each value has a mark of its own while there are fewer than this. */
const MAX_MARKED = 100
/** A selection that is narrower, in CSS pixels, is a click. */
const MIN_SELECTED = 4
/** The triangle of an alarm, in CSS pixels. */
const TRIANGLE = 8
/** Marks that are closer together, in CSS pixels, are drawn as one. */
const MIN_APART = 3

/** `heldAt` is given: what both scripts import would become a third one, loaded before all else. */
export interface PlotOptions {
  readonly heldAt: typeof heldAt
  /** A part of the time was selected by the pointer. */
  readonly onSelect: (part: Span) => void
  /** The time at the pointer, in milliseconds since 1970; undefined when it leaves. */
  readonly onPointer: (at: number | undefined) => void
}

/** A chart of one variable in an element. Loaded when the first one is shown. */
export class Plot {
  readonly #plot: uPlot
  readonly #watched: ResizeObserver
  #shown: Span = { from: 0, to: 1000 }
  #marks: readonly Mark[] = []
  #at: number | undefined

  constructor(
    readonly place: HTMLElement,
    name: string,
    readonly options: PlotOptions,
  ) {
    this.#plot = new uPlot(this.#looks(name), [[], []], place)
    const { over } = this.#plot
    over.addEventListener('mousemove', ({ offsetX }) =>
      options.onPointer(this.#shown.from + offsetX * this.perPixel),
    )
    over.addEventListener('mouseleave', () => options.onPointer(undefined))
    this.#watched = new ResizeObserver(() => {
      if (place.clientWidth > 0) this.#plot.setSize(this.#size)
    })
    this.#watched.observe(place)
  }

  /** Draws the values as they are now. */
  update({ times, values }: Series, shown: Span, marks: readonly Mark[]): void {
    this.#shown = shown
    this.#marks = marks
    this.#plot.setData([times, values])
    this.point(this.#at)
  }

  /** Draws again in the colours of the page as they are now. */
  redraw(): void {
    this.#plot.redraw(false, true)
  }

  /** Draws the line at a time, or none. */
  point(at: number | undefined): void {
    this.#at = at
    this.#plot.setCursor({ left: this.leftOf(at, this.#shown) ?? -10, top: 0 }, false)
  }

  /** How far a time is from the left edge of the plot, in CSS pixels; undefined where it is not shown. */
  leftOf(at: number | undefined, { from, to }: Span): number | undefined {
    if (at === undefined || at < from || at > to) return undefined
    return ((at - from) / (to - from)) * this.#plot.over.clientWidth
  }

  /** Where the plot begins within the element, in CSS pixels. */
  get edge(): number {
    return this.#plot.over.offsetLeft
  }

  /** The time of a CSS pixel, in milliseconds. */
  get perPixel(): number {
    return (this.#shown.to - this.#shown.from) / Math.max(1, this.#plot.over.clientWidth)
  }

  destroy(): void {
    this.#watched.disconnect()
    this.#plot.destroy()
  }

  /** A colour of the element, as the page has it now. */
  #colour(property: 'color' | 'border-top-color' | 'accent-color' | 'outline-color'): string {
    return getComputedStyle(this.place).getPropertyValue(property)
  }

  get #size(): { readonly width: number; readonly height: number } {
    return { width: this.place.clientWidth, height: this.place.clientHeight }
  }

  #looks(name: string): uPlot.Options {
    // A screen with many pixels has larger letters.
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    const line = { stroke: () => this.#colour('border-top-color'), width: 1 }
    const axis = {
      stroke: () => this.#colour('color'),
      grid: line,
      ticks: line,
      font: `${Math.round(0.78 * rem)}px ${getComputedStyle(this.place).fontFamily}`,
    }
    return {
      ...this.#size,
      padding: [null, EDGE * rem, null, null],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: true, y: false, setScale: false },
        points: { size: 7 },
        // The value that was the last one at this time.
        dataIdx: ({ data: [times] }, _, closest, at) => this.options.heldAt(times, at) ?? closest,
      },
      scales: {
        x: { time: true, range: () => [this.#shown.from / 1000, this.#shown.to / 1000] },
        y: { range: (plot, least, greatest) => this.#valueRange(plot, least, greatest) },
      },
      axes: [
        { ...axis, values: (_, marks) => marks.map(timeOfMark), space: 5.4 * rem, size: 3.2 * rem },
        { ...axis, size: 4.2 * rem },
      ],
      series: [
        {},
        {
          label: name,
          stroke: () => this.#colour('accent-color'),
          width: rem / 8,
          spanGaps: true,
          paths: uPlot.paths.stepped?.({ align: 1 }) as uPlot.Series.PathBuilder,
          points: { show: ({ data: [times] }) => times.length < MAX_MARKED },
        },
      ],
      hooks: {
        drawClear: [(plot) => this.#drawMarks(plot)],
        setSelect: [(plot) => this.#select(plot)],
      },
    }
  }

  /** The range of the values that are shown; of the one before them, if the time that is shown has none. */
  #valueRange({ data: [times, values] }: uPlot, least: number | null, greatest: number | null) {
    const held = values?.[this.options.heldAt(times, this.#shown.from / 1000) ?? -1] ?? null
    return uPlot.rangeNum(least ?? held ?? 0, greatest ?? held ?? 1, 0.1, true)
  }

  #select(plot: uPlot): void {
    const { left, width } = plot.select
    if (width === 0) return
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
    if (width <= MIN_SELECTED) return
    this.options.onSelect({
      from: plot.posToVal(left, 'x') * 1000,
      to: plot.posToVal(left + width, 'x') * 1000,
    })
  }

  /** A dashed line where a state changed, a line with a triangle where an alarm was set, and a hollow one where it was cleared. */
  #drawMarks(plot: uPlot): void {
    const { ctx } = plot
    const { top, height } = plot.bbox
    const [danger, muted] = [this.#colour('outline-color'), this.#colour('color')]
    const drawn: Record<Mark['kind'], number> = { state: -MIN_APART, alarm: -MIN_APART, cleared: -MIN_APART }
    ctx.save()
    ctx.lineWidth = uPlot.pxRatio
    for (const { at, kind } of this.#marks) {
      if (at < this.#shown.from || at > this.#shown.to) continue
      const x = Math.round(plot.valToPos(at / 1000, 'x', true))
      if (x - drawn[kind] < MIN_APART * uPlot.pxRatio) continue
      drawn[kind] = x
      ctx.strokeStyle = ctx.fillStyle = kind === 'state' ? muted : danger
      ctx.setLineDash(kind === 'alarm' ? [] : [3 * uPlot.pxRatio, 3 * uPlot.pxRatio])
      ctx.beginPath()
      ctx.moveTo(x, top)
      ctx.lineTo(x, top + height)
      ctx.stroke()
      if (kind !== 'state') triangle(ctx, x, top, TRIANGLE * uPlot.pxRatio, kind === 'alarm')
    }
    ctx.restore()
  }
}

function triangle(
  ctx: CanvasRenderingContext2D,
  x: number,
  y: number,
  size: number,
  isFilled: boolean,
): void {
  ctx.setLineDash([])
  ctx.beginPath()
  ctx.moveTo(x, y)
  ctx.lineTo(x + size / 2, y + size)
  ctx.lineTo(x - size / 2, y + size)
  ctx.closePath()
  if (isFilled) ctx.fill()
  ctx.stroke()
}

function timeOfMark(mark: number, _: number, marks: readonly number[]): string {
  const isExact = (marks[1] ?? Number.POSITIVE_INFINITY) - (marks[0] ?? 0) < EXACT_BELOW_S
  return (isExact ? exactTime : clockTime).format(mark * 1000)
}
