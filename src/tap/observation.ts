import type { Endpoints } from '../hsms/capture/wire.js'
import { type Frame, FrameReader } from '../hsms/frame/frame.js'
import type { DataMessage } from '../hsms/message.js'
import type { Signal } from '../kit/signal.js'
import { MAX_LENGTH } from './passing.js'
import type { PairEnd, Side } from './side.js'
import type { TapCounts } from './tap-counts.js'
import type { TapSettings } from './tap-settings.js'

/** What a tap tells of its link, in the order in which it happened. `at`: milliseconds since 1970. */
export type Observation =
  | { readonly kind: 'listening'; readonly port: number; readonly at: number }
  | { readonly kind: 'not_listening'; readonly detail: string; readonly at: number }
  /** Both sides are connected. */
  | {
      readonly kind: 'paired'
      readonly endpoints: Readonly<Record<Side, Endpoints>>
      /** They were already when this was told: who looks has begun after them. */
      readonly isSelected?: boolean
      readonly at: number
    }
  /** Both connections have ended. `first`: the side that ended first. */
  | {
      readonly kind: 'over'
      readonly first: Side
      readonly how: PairEnd
      /** They were ended for another connection of the one who calls, which took over. */
      readonly isReplaced?: boolean
      readonly at: number
    }
  /** The other side could not be dialled; the caller was broken off. */
  | { readonly kind: 'not_dialled'; readonly detail: string; readonly at: number }
  /** A connection was closed: its address may not call, or the pair is in use. */
  | {
      readonly kind: 'refused'
      readonly address: string
      readonly why: 'stranger' | 'in_use'
      /** With those that were refused for the same reason since the last one was told. */
      readonly connections: number
      readonly at: number
    }
  /** A message that one side has sent to the other, as it came. `mapped`: its system bytes on the equipment's side, where they are others. */
  | {
      readonly kind: 'frame'
      readonly from: Side
      readonly frame: Frame
      readonly mapped?: number
      readonly at: number
    }
  /** Messages that passed and are not told, since their copies had no room. */
  | { readonly kind: 'gap'; readonly messages: number; readonly since: number; readonly at: number }
  /** From here on, the bytes of a side are no HSMS; they pass as they come, and are not told. */
  | { readonly kind: 'unreadable'; readonly from: Side; readonly at: number }
  /** A primary of ours was sent to the equipment. */
  | { readonly kind: 'sent'; readonly request: number; readonly frame: Frame; readonly at: number }
  /** What the equipment sent about a primary of ours; it did not reach the host. Null: nobody waits for it any more. */
  | { readonly kind: 'replied'; readonly request: number | null; readonly frame: Frame; readonly at: number }
  /** A primary of ours was not sent: there is no pair, or it was given up before its turn. */
  | { readonly kind: 'not_sent'; readonly request: number; readonly at: number }

/** Whole frames of one side, one after the other with their lengths, as they came. */
export interface PassedFrames {
  readonly kind: 'frames'
  readonly from: Side
  readonly bytes: Uint8Array
  /** How many there are, and how many of them are data messages, which are recorded. */
  readonly count: number
  readonly messages: number
  /** Of the only one: its system bytes on the equipment's side, where they are others. */
  readonly mapped?: number
  /** What their control messages have made of the session; undefined where there are none that change it. */
  readonly isSelected?: boolean
  readonly at: number
}

/** What a tap tells where frames have not been read yet. */
export type TapEvent = Exclude<Observation, { kind: 'frame' }> | PassedFrames

/** The same with each frame. */
export function* observationsOf(event: TapEvent): Generator<Observation, void> {
  if (event.kind !== 'frames') return yield event
  const { from, mapped, at } = event
  for (const frame of new FrameReader(MAX_LENGTH).read(event.bytes))
    yield { kind: 'frame', from, frame, ...(mapped !== undefined && { mapped }), at }
}

/** A tap, wherever it runs. Whatever becomes of who looks at it, the link goes on. */
export interface TapLink {
  readonly observed: Signal<Observation>
  /** Sends a primary of ours to the equipment; `request` is a number of the caller's, by which its end is told: its system bytes, unless they are in use. */
  ask(request: number, message: Omit<DataMessage, 'systemBytes'>): void
  /** The reply to a primary is not waited for any more. */
  giveUp(request: number): void
  /** So many more observations, in their order, are on disk, or need not be: those that are not yet become a gap if who looks is killed. */
  recorded(count: number): void
  /** What has happened on it; null where that cannot be learnt now. */
  count(): Promise<TapCounts | null>
}

/** A tap with its beginning and its end. */
export interface RunningTap extends TapLink {
  /** Lets it run: it listens, or tells why it cannot. One of this equipment that runs with the same settings goes on. */
  start(): Promise<void>
  /** Ends its link. Resolves once all that has passed is told, after two seconds at most. */
  stop(): Promise<void>
  /**
   * Looks no more. The link goes on where it runs in another process, and ends where it runs in this one. Resolves once
   * nothing more is told, after two seconds at most: what passes from then on waits for the next one who looks.
   */
  leave(): Promise<void>
}

/** Makes the tap of an equipment. It is not started. */
export type OpenTap = (equipmentId: string, settings: TapSettings) => RunningTap
