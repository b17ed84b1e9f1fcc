import { RecordedMessage } from '../../src/gateway/records/recorded-message.js'
import type { DataMessage } from '../../src/hsms/message.js'
import type { NewEntry } from '../../src/store/entry.js'

/** A message of one equipment, as the journal has it. */
export const messageEntry = (
  direction: 'sent' | 'received',
  equipmentId: string,
  message: DataMessage,
  replyTo: number | null,
  at: string,
): NewEntry => new RecordedMessage({ direction, equipmentId, replyTo }, message).entry(at)
