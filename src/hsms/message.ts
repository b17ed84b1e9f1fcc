/** A data message as HSMS carries it. The body stays bytes here; `secs2` decodes it. */
export interface DataMessage {
  /** The device ID, 0 to 32767. */
  readonly sessionId: number
  readonly stream: number
  readonly function: number
  /** The W-bit: the sender of this primary expects a reply. */
  readonly wait: boolean
  /** Unique among the open primaries of one sender; a reply carries its primary's. */
  readonly systemBytes: number
  readonly body: Uint8Array
}

/** Identifies a primary of ours while it is open. */
export type PrimaryName = Pick<DataMessage, 'stream' | 'function' | 'systemBytes'>

/** A primary is recognised by its odd function, never by its system bytes. */
export const isPrimary = (message: Pick<DataMessage, 'function'>): boolean => message.function % 2 === 1
