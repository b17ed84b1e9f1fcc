import type { LinkSettings } from '../hsms/settings.js'

/** SECS-I timers (SEMI E4), in milliseconds. */
export interface Secs1Timers {
  /** T1, intercharacter: between two bytes of one block. */
  readonly t1: number
  /** T2, protocol: from ENQ to EOT, from EOT to the length byte, and from the last byte of a block to ACK. */
  readonly t2: number
  /** T3, reply: from the last block of a primary to the first block of its reply. */
  readonly t3: number
  /** T4, interblock: between two blocks of one message that is received. */
  readonly t4: number
  /** Connect separation: from the end of a connection attempt to the next. SEMI E4 has none; the value is that of HSMS. */
  readonly t5: number
}

/** Typical values of SEMI E4; T5 is that of SEMI E37. */
export const DEFAULT_SECS1_TIMERS: Secs1Timers = { t1: 500, t2: 10_000, t3: 45_000, t4: 45_000, t5: 10_000 }

/** The settings of one SECS-I entity. The header's device ID is the equipment's, in both directions. */
export interface Secs1Settings extends LinkSettings {
  /** Which end of the line this is: it decides the R-bit. */
  readonly side: 'host' | 'equipment'
  /** Where both ends ask for the line at once, the master sends first. SEMI E4 makes the equipment master. */
  readonly isMaster: boolean
  readonly timers: Secs1Timers
  /** RTY: how often a block is sent again, 0 to 31. */
  readonly retries: number
  /** How long a byte takes on the line, in milliseconds; 0 where that is not known, as over TCP. */
  readonly byteTime: number
  /** The longest message, header included, in bytes: 32,767 blocks of 244 bytes is what the block number holds. */
  readonly maxMessageLength: number
  /** How many messages of the peer may have arrived in part at once. */
  readonly maxPartial: number
}

/** Bytes of a message that one block holds. */
export const BLOCK_DATA_BYTES = 244
const MAX_BLOCKS = 32_767

export const SECS1_DEFAULTS = {
  timers: DEFAULT_SECS1_TIMERS,
  retries: 3,
  byteTime: 0,
  maxMessageLength: 10 + MAX_BLOCKS * BLOCK_DATA_BYTES,
  maxOpen: 16,
  maxPartial: 16,
} as const satisfies Partial<Secs1Settings>

/** Start bit, eight data bits, stop bit: SEMI E4 has no parity. */
const BITS_PER_BYTE = 10

/** How long a byte takes at this speed, in milliseconds. */
export const byteTimeAt = (baudRate: number): number => (BITS_PER_BYTE * 1000) / baudRate
