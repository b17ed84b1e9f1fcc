import { type AlarmsOf, NO_ALARMS } from '../../client/site/alarm-counts.js'
import type { Equipment } from '../../contract/equipment.js'
import type { Alarm } from '../../contract/topics/alarms.js'
import type { Event } from '../../contract/topics/events.js'
import type { Message } from '../../contract/topics/messages.js'
import type { Sink } from '../../contract/topics/sinks/sink.js'
import type { Traffic } from '../../contract/topics/traffic.js'
import { type Rates, withSample } from './rates.js'

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
  /** Why the gateway does not respond, and when the next attempt is; undefined while it responds. */
  readonly lost: { readonly reason: string; readonly again: Date } | undefined

  readonly equipment: ReadonlyMap<string, Equipment>
  readonly rates: ReadonlyMap<string, Rates>
  /** Open alarms by equipment. */
  readonly counts: ReadonlyMap<string, AlarmsOf>
  /** Active or not acknowledged, newest first: all of the equipment that is open, or the newest of all equipment. */
  readonly alarms: readonly Alarm[]
  /** Newest first. */
  readonly events: readonly Event[]
  /** Of the equipment that is open, newest first. */
  readonly messages: readonly Message[]
  readonly sinks: readonly Sink[]

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
  counts: new Map(),
  alarms: [],
  events: [],
  messages: [],
  sinks: [],
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

export const countsOf = ({ counts }: TopState, id: string): AlarmsOf => counts.get(id) ?? NO_ALARMS

/** How many events are kept. */
const MAX_KEPT = 200

interface SiteNews extends Pick<TopState, 'equipment' | 'counts'> {
  /** Undefined where they have not been read. */
  readonly alarms: readonly Alarm[] | undefined
}

/** A report of the gateway, or of the clock. */
export type News =
  | { readonly kind: 'time'; readonly now: Date }
  | { readonly kind: 'live'; readonly url: string }
  | { readonly kind: 'sinks'; readonly sinks: readonly Sink[] }
  | { readonly kind: 'lost'; readonly reason: string; readonly again: Date }
  | ({ readonly kind: 'site' } & SiteNews)
  | { readonly kind: 'past_events'; readonly events: readonly Event[] }
  | { readonly kind: 'event'; readonly event: Event }
  | { readonly kind: 'messages'; readonly id: string; readonly messages: readonly Message[] }
  | { readonly kind: 'traffic'; readonly id: string; readonly traffic: Traffic; readonly at: number }
  | { readonly kind: 'notice'; readonly text: string }

/** The state after some news. */
export function withNews(state: TopState, news: News): TopState {
  switch (news.kind) {
    case 'time':
      return { ...state, now: news.now }
    case 'live':
      return { ...state, lost: undefined, url: news.url }
    case 'lost':
      return { ...state, lost: { reason: news.reason, again: news.again } }
    case 'site':
      return withSite(state, news)
    case 'sinks':
      return { ...state, sinks: news.sinks }
    case 'past_events':
      return { ...state, events: news.events.slice(0, MAX_KEPT) }
    case 'event':
      return { ...state, events: [news.event, ...state.events].slice(0, MAX_KEPT) }
    case 'messages':
      return news.id === state.opened ? { ...state, messages: news.messages } : state
    case 'traffic': {
      const { id, traffic, at } = news
      if (!state.equipment.has(id)) return state
      return { ...state, rates: new Map(state.rates).set(id, withSample(state.rates.get(id), traffic, at)) }
    }
    case 'notice':
      return { ...state, notice: news.text }
  }
}

/** Rates of equipment that was removed are deleted, and it is open no longer. */
function withSite(state: TopState, { equipment, counts, alarms = state.alarms }: SiteNews): TopState {
  const rates = new Map([...state.rates].filter(([id]) => equipment.has(id)))
  const opened = state.opened !== undefined && equipment.has(state.opened) ? state.opened : undefined
  return { ...state, equipment, counts, alarms, rates, opened }
}
