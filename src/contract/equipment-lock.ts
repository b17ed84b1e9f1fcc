import { type Static, Type } from 'typebox'
import type { AnyEndpoint } from './endpoint.js'
import { input, named, namedInput, OptionalFlag, PLAIN_NAME, Text, Time } from './schema.js'

/** The longest time for which an equipment can be locked at once, in seconds. */
export const MAX_LOCK_SECONDS = 86_400

const Reason = Type.String({
  component: 'LockReason',
  minLength: 1,
  maxLength: 200,
  pattern: PLAIN_NAME,
  description: 'Why it is locked, for everybody who is refused: 1 to 200 printable characters on one line.',
})

export const EquipmentLock = named('EquipmentLock', {
  by: Text('Who holds the lock: the email of a user, or `key:` and the name of an API key.'),
  reason: Reason,
  since: Time('When the holder locked the equipment.'),
  expires_at: Time('When the lock ends by itself.'),
})
export type EquipmentLock = Static<typeof EquipmentLock>

export const LockRequest = namedInput('LockRequest', {
  for_seconds: Type.Number({
    minimum: 1,
    maximum: MAX_LOCK_SECONDS,
    description: 'How long the equipment is locked from now on, in seconds; at most 24 hours.',
  }),
  reason: Reason,
})
export type LockRequest = Static<typeof LockRequest>

export const UnlockQuery = input({
  force: OptionalFlag('True: also release the lock of somebody else. For administrators; needs `reason`.'),
  reason: Type.Optional(Type.String()),
})

/**
 * Whether the call is refused to everybody but the holder while an equipment is locked: each call about one equipment
 * that may change something. Locking and releasing have rules of their own; shelving an alarm changes nothing there.
 */
export const isRefusedByLock = ({ isSafe, path }: AnyEndpoint): boolean =>
  !isSafe && path.startsWith('/equipment/{id}') && !/\/(lock|shelf)$/.test(path)
