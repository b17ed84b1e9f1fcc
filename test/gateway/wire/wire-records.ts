import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import type { WireRecord } from '../../../src/hsms/capture/wire.js'
import { dataHeader, STYPE, type SType } from '../../../src/hsms/frame/header.js'
import type { DataMessage } from '../../../src/hsms/message.js'
import type { NewEntry } from '../../../src/store/entry.js'

type Passing = WireRecord & { readonly kind: 'frame' }

/** S1F13 with W-bit and an empty list from the host, unless something else is said. */
export function dataPassing(
  direction: 'in' | 'out',
  { body = Uint8Array.of(1, 0), ...given }: Partial<DataMessage> = {},
): Passing {
  const message = { sessionId: 0, stream: 1, function: 13, wait: true, systemBytes: 42, ...given, body }
  return { kind: 'frame', direction, frame: { header: dataHeader(message), body } }
}

export function controlPassing(direction: 'in' | 'out', type: SType, byte3 = 0): Passing {
  const header = { sessionId: 0xffff, byte2: 0, byte3, pType: 0, sType: STYPE[type], systemBytes: 1 }
  return { kind: 'frame', direction, frame: { header, body: new Uint8Array() } }
}

/** A message of one equipment, as the journal has it. */
export const messageEntry = (
  direction: 'sent' | 'received',
  equipmentId: string,
  message: DataMessage,
  replyTo: number | null,
  at: string,
): NewEntry => new RecordedMessage({ direction, equipmentId, replyTo }, message).entry(at)
