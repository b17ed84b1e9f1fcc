/** What can stand at an address, from nothing to equipment that is ready. */
export const FOUND = [
  /** GEM equipment, on line: it answers S1F13 and S1F1. */
  'equipment',
  /** It answers S1F13, and S1F1 by S1F0 (SEMI E30). */
  'offline',
  /** COMMACK other than 0. */
  'denied',
  /** It answers under another device ID, or complains of ours (S9F1). */
  'wrong_device',
  /** SECS-II, and no S1F13: GEM is not there. */
  'no_gem',
  /** Selected, and no message is answered. */
  'unanswered',
  /** A host like ourselves: equipment dials it. */
  'host',
  /** It ended the connection while we talked. */
  'ended',
  /** Select.rsp says that it has its one session, or as many as it can, already. */
  'occupied',
  /** Select.req was refused for another reason. */
  'refuses',
  /** TCP is accepted and closed again before a session. */
  'closes',
  /** Of HSMS nothing came: Select.req was not answered, or none was sent by one that dialled us. */
  'silent',
  'secs1',
  'other_protocol',
  /** The machine answers; nothing listens on the port. */
  'refused',
  /** Nothing answers the dial. */
  'nothing',
  'no_route',
  /** The name means no address. */
  'unresolved',
  /** Nobody dialled us. */
  'nobody',
] as const
export type Found = (typeof FOUND)[number]

/** What stands at an address, with what it told of itself. */
export interface Finding {
  readonly found: Found
  /** What happened, in a sentence. */
  readonly detail: string
  /** What else was seen, a sentence each. */
  readonly remarks: readonly string[]
  /** The other side of the connection, `address:port`. */
  readonly remote?: string | undefined
  readonly model?: Identity | undefined
  /** The device ID that it goes by, where it told; 0 to 32767. */
  readonly deviceId?: number | undefined
  /** Milliseconds from the dial to TCP. */
  readonly connectMs?: number | undefined
  /** Milliseconds from Linktest.req to Linktest.rsp. */
  readonly linktestMs?: number | undefined
}

/** What an equipment says it is. */
export interface Identity {
  readonly mdln: string
  readonly softrev: string
}

/** A finding without what was measured. */
export type Verdict = Pick<Finding, 'found' | 'detail' | 'model' | 'deviceId'>
