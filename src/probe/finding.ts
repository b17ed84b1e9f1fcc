/** What can be at an address, from nothing to equipment that is ready. */
const FOUND = [
  /** GEM equipment, online: it answers S1F13 and S1F1. */
  'equipment',
  /** It answers S1F13, and S1F1 by S1F0 (SEMI E30). */
  'offline',
  /** COMMACK other than 0. */
  'denied',
  /** It answers under another device ID, or sent S9F1 for ours. */
  'wrong_device',
  /** SECS-II, and no S1F13: GEM is not there. */
  'no_gem',
  /** Selected, and no message is answered. */
  'unanswered',
  /** A host like ourselves: equipment dials it. */
  'host',
  /** It ended the connection during the test. */
  'ended',
  /** Select.rsp says that its session is in use, or that it can have no more sessions. */
  'occupied',
  /** Select.req was refused for another reason. */
  'refuses',
  /** TCP is accepted and closed again before a session. */
  'closes',
  /** No HSMS came: Select.req got no reply, or the peer that dialled sent none. */
  'silent',
  /** SECS-I, with which no message could be exchanged. */
  'secs1',
  /** HSMS, where SECS-I was expected. */
  'hsms',
  /** A terminal server in Telnet mode. */
  'telnet',
  /** SECS-I: nothing answers ENQ. */
  'no_answer',
  /** SECS-I: both ends are master, or neither is. */
  'wrong_master',
  /** SECS-I: the line changes bytes, as with a wrong baud rate or parity. */
  'garbled',
  /** The serial port cannot be opened. */
  'no_port',
  'other_protocol',
  /** The machine answers; nothing listens on the port. */
  'refused',
  /** Nothing answers the dial. */
  'nothing',
  'no_route',
  /** The name has no address. */
  'unresolved',
  /** No peer dialled. */
  'nobody',
] as const
export type Found = (typeof FOUND)[number]

/** The result of a test: what is at an address, and its identity. */
export interface Finding {
  readonly found: Found
  /** What happened, in one sentence. */
  readonly detail: string
  /** What was spoken; left out: HSMS. */
  readonly transport?: 'secs1-tcp' | 'secs1-serial' | undefined
  /** Other observations, one sentence each. */
  readonly remarks: readonly string[]
  /** The other side of the connection, `address:port`. */
  readonly remote?: string | undefined
  readonly model?: Identity | undefined
  /** Its device ID, where it is known; 0 to 32767. */
  readonly deviceId?: number | undefined
  /** Milliseconds from the dial to TCP. */
  readonly connectMs?: number | undefined
  /** Milliseconds from Linktest.req to Linktest.rsp. */
  readonly linktestMs?: number | undefined
}

/** The equipment's names in S1F2 or S1F14. */
export interface Identity {
  readonly mdln: string
  readonly softrev: string
}

/** A finding without measurements. */
export type Verdict = Pick<Finding, 'found' | 'detail' | 'model' | 'deviceId'>
