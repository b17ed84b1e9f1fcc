import { texts } from '../texts.js'
import type { TimeView } from './time-view.js'

const words = texts.equipment

/** Moves and zooms the time that states and charts show together. `of`: what is beside the buttons, for its name. */
export function TimeButtons({ view, of }: { readonly view: TimeView; readonly of: string }) {
  const isPart = view.part !== undefined
  const buttons = [
    ['←', words.earlier, () => view.move(-1), true],
    ['→', words.later, () => view.move(1), isPart],
    ['+', words.zoomIn, () => view.zoom(true), true],
    ['−', words.zoomOut, () => view.zoom(false), isPart],
    ['⟲', words.wholeTime, view.reset, isPart],
  ] as const
  return (
    <span class="time-buttons">
      {buttons.map(([sign, name, act, isUseful]) => (
        <button
          key={name}
          type="button"
          aria-label={`${name}: ${of}`}
          title={name}
          aria-disabled={!isUseful}
          onClick={() => isUseful && act()}
        >
          {sign}
        </button>
      ))}
    </span>
  )
}
