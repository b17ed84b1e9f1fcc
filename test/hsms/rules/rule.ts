import { expect } from 'vitest'
import { STYPE } from '../../../src/hsms/frame/header.js'
import type { Outcome } from '../../../src/hsms/outcome.js'
import type { HsmsWire } from '../../support/hsms-wire.js'

export type TimerRule = 'T3' | 'T5' | 'T6' | 'T7' | 'T8' | 'linktest'

/** One thing that a numbered rule of the protocol, or a timer, demands, and how it is checked. */
export interface Rule {
  readonly rule: number | TimerRule
  readonly source: string
  readonly says: string
  check(): void
}

/** What a Reject.req looks like: byte 2 is the type it refuses, byte 3 the reason. */
export const reject = (byte2: number, byte3: number, systemBytes: number) => ({
  header: expect.objectContaining({ sType: STYPE.rejectReq, pType: 0, byte2, byte3, systemBytes }),
  body: new Uint8Array(),
})

export const outcomes = (wire: HsmsWire): Outcome[] => wire.of('ended').map(({ outcome }) => outcome)
