import type { Alarm } from '../../contract/topics/alarms.js'
import { cursorIn, shownEquipment } from './shown-equipment.js'
import { alarmsOf, countsOf, nameOf, SORTS, type TopState } from './top-state.js'

/** A key as `readline` names it, and the character that it types. */
export interface Key {
  readonly name?: string | undefined
  readonly ctrl?: boolean | undefined
  readonly meta?: boolean | undefined
  readonly sequence?: string | undefined
}

/** Work of a key beyond a change of the state. */
export type Effect =
  | { readonly kind: 'quit' | 'interrupt' | 'suspend' | 'redraw' | 'read' }
  | { readonly kind: 'acknowledge'; readonly alarm: Alarm }

export interface Pressed {
  readonly state: TopState
  readonly effect?: Effect
}

const CONTROL: Readonly<Record<string, 'interrupt' | 'suspend' | 'redraw'>> = {
  c: 'interrupt',
  z: 'suspend',
  l: 'redraw',
}

/** How far a key moves the cursor; `page` is a screen of equipment. */
function stepOf({ name, sequence = '' }: Key, page: number): number | undefined {
  if (name === 'up' || sequence === 'k') return -1
  if (name === 'down' || sequence === 'j') return 1
  if (name === 'pageup') return -page
  if (name === 'pagedown' || sequence === ' ') return page
  if (name === 'home' || sequence === 'g') return Number.NEGATIVE_INFINITY
  return name === 'end' || sequence === 'G' ? Number.POSITIVE_INFINITY : undefined
}

/** The state after a key. */
export function pressed(before: TopState, key: Key, page: number): Pressed {
  const control = key.ctrl ? CONTROL[key.name ?? ''] : undefined
  if (control) return { state: before, effect: { kind: control } }
  const state = { ...before, notice: '' }
  if (state.asking?.kind === 'filter') return { state: typed(state, state.asking.before, key) }
  if (state.asking?.kind === 'acknowledge') {
    const { alarm } = state.asking
    const decided = { ...state, asking: undefined }
    if (key.sequence?.toLowerCase() === 'y') return { state: decided, effect: { kind: 'acknowledge', alarm } }
    return { state: { ...decided, notice: 'Nothing was acknowledged.' } }
  }
  if (state.help) return { state: { ...state, help: false } }
  return moved(state, key, page)
}

function moved(state: TopState, key: Key, page: number): Pressed {
  const step = stepOf(key, page)
  if (step !== undefined)
    return { state: state.opened === undefined ? stepped(state, step) : stepAlarm(state, step) }
  // Node reports a lone Escape with `meta`.
  if (key.ctrl || (key.meta && key.name !== 'escape')) return { state }
  switch (key.name === 'return' || key.name === 'escape' ? key.name : key.sequence) {
    case 'q':
      return { state, effect: { kind: 'quit' } }
    case '?':
    case 'h':
      return { state: { ...state, help: true } }
    case 'a':
      return { state: asked(state) }
    case 'escape':
      if (state.opened === undefined) return { state: { ...state, filter: '' } }
      return { state: { ...state, opened: undefined }, effect: { kind: 'read' } }
    case 'return':
      return opened(state)
    case 's':
      return { state: { ...state, sort: SORTS[SORTS.indexOf(state.sort) + 1] ?? 'name' } }
    case '/':
      return { state: { ...state, opened: undefined, asking: { kind: 'filter', before: state.filter } } }
    default:
      return { state }
  }
}

/** Typing narrows the list at once; Escape takes back what was typed. */
function typed(state: TopState, before: string, { name, sequence = '', ctrl, meta }: Key): TopState {
  if (name === 'return' || name === 'enter') return { ...state, asking: undefined }
  if (name === 'escape') return { ...state, filter: before, asking: undefined }
  if (name === 'backspace') return { ...state, filter: [...state.filter].slice(0, -1).join('') }
  if (ctrl && name === 'u') return { ...state, filter: '' }
  if (ctrl || meta || !/^\P{C}+$/u.test(sequence)) return state
  return { ...state, filter: `${state.filter}${sequence}`.slice(0, 64) }
}

const within = (at: number, length: number): number => Math.max(0, Math.min(at, length - 1))

function stepped(state: TopState, step: number): TopState {
  const shown = shownEquipment(state)
  return { ...state, selected: shown[within(cursorIn(shown, state) + step, shown.length)]?.id }
}

function stepAlarm(state: TopState, step: number): TopState {
  const { length } = alarmsOf(state, state.opened ?? '')
  return { ...state, alarm: within(within(state.alarm, length) + step, length) }
}

function opened(state: TopState): Pressed {
  const shown = shownEquipment(state)
  const id = shown[cursorIn(shown, state)]?.id
  if (state.opened !== undefined || id === undefined) return { state }
  return { state: { ...state, selected: id, opened: id, alarm: 0, messages: [] }, effect: { kind: 'read' } }
}

/** Asks about the alarm under the cursor; in the list, about the newest one of the equipment not acknowledged. */
function asked(state: TopState): TopState {
  const shown = shownEquipment(state)
  const id = state.opened ?? shown[cursorIn(shown, state)]?.id
  if (id === undefined) return state
  const alarms = alarmsOf(state, id)
  const alarm =
    state.opened === undefined
      ? alarms.find(({ acknowledged }) => !acknowledged)
      : alarms[within(state.alarm, alarms.length)]
  // The list has the newest alarms of all equipment only.
  if (!alarm && state.opened === undefined && countsOf(state, id).unacknowledged > 0)
    return { ...state, notice: `Enter shows the alarms of ${nameOf(state, id)}.` }
  if (!alarm) return { ...state, notice: `${nameOf(state, id)} has no alarm to acknowledge.` }
  if (alarm.acknowledged) return { ...state, notice: `Acknowledged already by ${alarm.acknowledged_by}.` }
  return { ...state, asking: { kind: 'acknowledge', alarm } }
}
