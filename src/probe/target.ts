/** What to test. */
export interface ProbeTarget {
  /** `active`: dial the address. `passive`: listen on it, and test the peer that dials. */
  readonly role: 'active' | 'passive'
  /** Active: a name or an address. Passive: an address of this machine. */
  readonly host: string
  readonly port: number
  /** The device ID to use, 0 to 32767. */
  readonly deviceId: number
  /** For each step: the dial, Select.rsp, a reply. Four times as long for permission to send on a SECS-I line. */
  readonly timeoutMs: number
  /** Passive: how long to wait for a peer; `timeoutMs` when left out. */
  readonly waitMs?: number | undefined
  /** Passive: called once the port is bound. */
  readonly listening?: (() => void) | undefined
  /** The peer speaks SECS-I. Left out, HSMS is tried first, and SECS-I where that is what answers. */
  readonly line?: LineTarget | undefined
}

export interface LineTarget {
  /** The path of a serial port, instead of host and port. */
  readonly serialPort?: string | undefined
  /** Of the serial port; 9600 when left out. */
  readonly baudRate?: number | undefined
  /** Whether this end is the master of the line; false when left out, as SEMI E4 has it for a host. */
  readonly isMaster?: boolean | undefined
}
