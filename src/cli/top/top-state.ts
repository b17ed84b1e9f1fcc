import type { Equipment } from '../../contract/equipment.js'
import type { Alarm } from '../../contract/topics/alarms.js'
import type { Event } from '../../contract/topics/events.js'
import type { Message } from '../../contract/topics/messages.js'
import type { Rates } from './rates.js'

export const SORTS = ['name', 'state', 'rate', 'alarms'] as const
export type Sort = (typeof SORTS)[number]

/** A question at the foot of the screen. */
export type Asking =
  | { readonly kind: 'filter'; readonly before: string }
  | { readonly kind: 'acknowledge'; readonly alarm: Alarm }

/** All that the screen shows: what the gateway reported, and where the person is in it. */
export interface TopState {
  readonly url: string
  readonly now: Date
  /** Why the gateway does not answer, and when it is tried again; undefined while it answers. */
  readonly lost: { readonly reason: string; readonly again: Date } | undefined

  readonly equipment: ReadonlyMap<string, Equipment>
  readonly rates: ReadonlyMap<string, Rates>
  /** Active or not acknowledged, newest first. */
  readonly alarms: readonly Alarm[]
  /** Newest first. */
  readonly events: readonly Event[]
  /** Of the equipment that is open, newest first. */
  readonly messages: readonly Message[]

  readonly sort: Sort
  readonly filter: string
  /** The equipment under the cursor, and the one that fills the screen. */
  readonly selected: string | undefined
  readonly opened: string | undefined
  /** Under the cursor among the alarms of the equipment that is open. */
  readonly alarm: number
  readonly help: boolean
  readonly asking: Asking | undefined
  /** Result of the last key. */
  readonly notice: string
}

export const beginning = (url: string, now: Date): TopState => ({
  url,
  now,
  lost: undefined,
  equipment: new Map(),
  rates: new Map(),
  alarms: [],
  events: [],
  messages: [],
  sort: 'name',
  filter: '',
  selected: undefined,
  opened: undefined,
  alarm: 0,
  help: false,
  asking: undefined,
  notice: '',
})

export const nameOf = ({ equipment }: TopState, id: string): string => equipment.get(id)?.name ?? id

export const alarmsOf = ({ alarms }: TopState, id: string): readonly Alarm[] =>
  alarms.filter(({ equipment_id }) => equipment_id === id)
