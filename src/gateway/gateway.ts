import type { Acknowledgement, Alarm, AlarmQuery } from '../contract/alarms.js'
import type { CommandResult, NewCommand } from '../contract/commands.js'
import type { Equipment, EquipmentChange, EquipmentQuery, NewEquipment } from '../contract/equipment.js'
import type { Event, EventQuery, StreamQuery } from '../contract/events.js'
import type { JournalEntry, JournalExportQuery } from '../contract/journal.js'
import type { Message, MessageQuery, NewMessage, Outcome, Sent } from '../contract/messages.js'
import type { Page } from '../contract/schema.js'
import type { Traffic } from '../contract/traffic.js'
import type {
  Credentials,
  Identity,
  Login,
  NewUser,
  PasswordChange,
  User,
  UserChange,
} from '../contract/users.js'
import type { WireRecord } from '../contract/wire.js'
import type { Signal } from '../kit/signal.js'
import type { Idempotency } from './idempotency/idempotency.js'
import type { Services } from './services/services.js'

export interface Registry {
  list(query: EquipmentQuery): Promise<Page<Equipment>>
  get(id: string): Promise<Equipment>
  create(given: NewEquipment): Promise<Equipment>
  /** `revisions`: from `If-Match`; the record's revision has to be one of them. Not checked when left out. */
  update(id: string, change: EquipmentChange, revisions?: readonly number[]): Promise<Equipment>
  delete(id: string): Promise<void>
  /** Waits up to `seconds` for SELECTED and COMMUNICATING; the returned record has the state then. */
  connect(id: string, seconds: number): Promise<Equipment>
  disconnect(id: string): Promise<Equipment>
}

/** The result of a transaction, or its primary alone where the caller did not wait. */
export interface Exchange<T> {
  readonly result: T
  /** False when the caller did not wait for the reply. */
  readonly waited: boolean
}

export interface MessageLog {
  list(query: MessageQuery): Promise<Page<Message>>
  get(id: string): Promise<Message>
  /** `timeout` in seconds shortens T3. */
  send(equipmentId: string, message: NewMessage, timeout?: number): Promise<Exchange<Sent>>
}

export interface RemoteCommands {
  send(equipmentId: string, command: NewCommand, timeout?: number): Promise<Exchange<CommandResult>>
}

export interface AlarmBoard {
  list(query: AlarmQuery): Promise<Page<Alarm>>
  acknowledge(id: string, by: Identity, given: Acknowledgement): Promise<Alarm>
}

export interface EventLog {
  /** The newest number given in the journal, to an event or to something else: the next event's id is higher. */
  readonly last: number
  list(query: EventQuery): Promise<Page<Event>>
  /**
   * Every event after `after` (only new ones when it is left out), then each new event once it is on disk, until
   * `signal` aborts. Yields events in bounded groups. Reads only when the next group is requested, so a slow reader
   * costs nothing.
   */
  follow(query: StreamQuery, signal: AbortSignal): AsyncIterable<readonly Event[]>
}

/** The entries of the journal, as they are stored. */
export interface JournalExport {
  /**
   * The entries that there are now, oldest first, some at a time; ends early when `signal` aborts. Reads only when
   * asked for the next. An entry that retention removes meanwhile is left out.
   */
  entries(query: JournalExportQuery, signal: AbortSignal): AsyncIterable<readonly JournalEntry[]>
}

/**
 * The traffic on the connections of equipment, from now on until `signal` aborts, the equipment is removed, or
 * `count` HSMS messages were yielded. A reader that is too slow loses records, and gets the number of lost ones.
 */
export interface WireLog {
  /** Throws `equipment_not_found`. */
  follow(equipmentId: string, count: number, signal: AbortSignal): AsyncIterable<WireRecord>
  /** The same as pcapng blocks; `program` writes them. Throws `equipment_not_found`. */
  capture(equipmentId: string, program: string, count: number, signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** Counts of traffic and connections since the gateway started. */
export interface TrafficCounts {
  of(equipmentId: string): Promise<Traffic>
  all(): readonly { readonly name: string; readonly traffic: Traffic }[]
  /** Connections that were closed at once: from an address of no registered equipment, or a second connection. */
  readonly refused: { readonly strangers: number; readonly surplus: number }
}

/** Counts of one equipment's recorded messages since the gateway started. */
export interface EquipmentActivity {
  readonly name: string
  readonly sent: number
  readonly received: number
  /** Number of the gateway's primaries by outcome. */
  readonly outcomes: readonly (readonly [outcome: Outcome, count: number])[]
}

/** Counts of what the gateway records, and the state of its journal. */
export interface Activity {
  /** Appends that wait for the disk: the oldest wait in milliseconds, their number; and the newest sequence number on disk. */
  readonly journal: { readonly lag: number; readonly waiting: number; readonly last: number }
  equipment(): readonly EquipmentActivity[]
}

/** The caller of a request: from its token, confirmed by the accounts. */
export interface Caller extends Identity {
  readonly tokenId: string
  /** The generation of the user's tokens that the token belongs to. */
  readonly tokenGeneration: number
  /** When the token ends, in milliseconds since 1970. */
  readonly tokenExpires: number
}

export interface Accounts {
  /** `address` is the caller's, for the limits on guessing. */
  login(credentials: Credentials, address: string): Promise<Login>
  refresh(caller: Caller): Promise<Login>
  logout(caller: Caller): Promise<void>
  /** Throws `unauthenticated`, `token_expired` or `token_revoked`. */
  authenticate(token: string): Promise<Caller>
  /** A token was revoked or a user changed: open streams have to authenticate their tokens again. */
  readonly changed: Signal<void>
  list(query: { readonly limit?: number; readonly cursor?: string }): Promise<Page<User>>
  get(id: string): Promise<User>
  /** A change that `by` asked for throws `token_revoked` when the token of `by` has ended before the change is made. */
  create(given: NewUser, by?: Caller): Promise<User>
  /** Gives the caller another password, and a new token: all before it end. Throws `wrong_password`, `rate_limited`. */
  changePassword(caller: Caller, change: PasswordChange, address: string): Promise<Login>
  update(id: string, change: UserChange, by?: Caller): Promise<User>
  delete(id: string, by?: Caller): Promise<void>
}

/** Everything the gateway does for its callers. Failures are `Problem`s. */
export interface Gateway {
  readonly equipment: Registry
  readonly messages: MessageLog
  readonly commands: RemoteCommands
  readonly services: Services
  readonly alarms: AlarmBoard
  readonly events: EventLog
  readonly journalExport: JournalExport
  readonly wires: WireLog
  readonly traffic: TrafficCounts
  readonly activity: Activity
  readonly accounts: Accounts
  readonly idempotency: Idempotency
  /** True while records reach the disk. */
  readonly ready: boolean
}
