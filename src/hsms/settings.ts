/** HSMS timers, in milliseconds. */
export interface HsmsTimers {
  /** T3, reply timeout: from a primary with W-bit to its reply. */
  readonly t3: number
  /** T5, connect separation: from the end of a connection attempt to the next. */
  readonly t5: number
  /** T6, control transaction: from a control request to its response. */
  readonly t6: number
  /** T7, not selected: how long a connection may stay unselected. */
  readonly t7: number
  /** T8, network intercharacter: between two bytes of one frame. */
  readonly t8: number
  /** From one Linktest.req to the next; see `LinktestMode`. A second connection of the peer causes one at once. 0: none. */
  readonly linktest: number
}

/**
 * When a link is tested. `always`: every linktest period; only a reply within T6 shows that the peer is alive.
 * `idle`: every message of the peer shows it, too, and starts the period again, and T6 if a test is open.
 */
export type LinktestMode = 'always' | 'idle'

/** Typical values of SEMI E37; the linktest period is ours. */
export const DEFAULT_HSMS_TIMERS: HsmsTimers = {
  t3: 45_000,
  t5: 10_000,
  t6: 5_000,
  t7: 10_000,
  t8: 5_000,
  linktest: 60_000,
}

/** The settings that an entity has whatever the protocol of its link. */
export interface LinkSettings {
  /** Who opens the connection: `active` dials, `passive` listens. */
  readonly role: 'active' | 'passive'
  /** Active: the peer's address. Passive: the address to listen on. */
  readonly host: string
  readonly port: number
  /** Passive: the only address that may connect; left out, anyone may. */
  readonly peer?: string
  /** Active: the address of this machine to dial from; left out, the system chooses. */
  readonly localAddress?: string
  /** Device ID in the header of data messages, 0 to 32767. */
  readonly deviceId: number
  readonly timers: { readonly t3: number; readonly t5: number }
  /** The longest message taken, header included, in bytes. */
  readonly maxMessageLength: number
  /** How many primaries of ours may wait for a reply at once. */
  readonly maxOpen: number
}

/** The settings of one HSMS-SS entity. The active side selects. */
export interface HsmsSettings extends LinkSettings {
  /** Session ID of control messages; 0xffff in HSMS-SS. */
  readonly controlSessionId: number
  readonly timers: HsmsTimers
  readonly linktestMode: LinktestMode
}

export const HSMS_DEFAULTS = {
  controlSessionId: 0xffff,
  timers: DEFAULT_HSMS_TIMERS,
  linktestMode: 'always',
  maxMessageLength: 16 * 1024 * 1024,
  maxOpen: 64,
} as const satisfies Partial<HsmsSettings>

/** How many bytes may wait for a peer that does not read, before the connection is given up. */
export const unsentLimit = ({ maxMessageLength }: LinkSettings): number =>
  Math.max(32 * 1024 * 1024, 2 * maxMessageLength)
