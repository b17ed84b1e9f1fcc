import type { Clock } from '../../../kit/clock.js'
import type { RetentionPolicy } from '../../retention-policy.js'
import type { Changes } from '../changes.js'
import type { Database } from '../database.js'
import type { Fence } from '../fence.js'
import type { TrustedTime } from '../trusted-time.js'

export interface JournalParts {
  readonly database: Database
  readonly name: 'journal' | 'audit'
  /** The id of this process. */
  readonly node: string
  readonly fence: Fence
  readonly changes: Changes
  readonly clock: Clock
  readonly retention: RetentionPolicy
  /** By which entries get old. */
  readonly time: Pick<TrustedTime, 'now' | 'save'>
  /** True while this process does what one does for all: snapshots and retention. */
  hasSiteDuties(): boolean
  /** True while another process may follow. */
  hasFollowers(): boolean
  /** Called with what cannot pass by itself: the process has to end. */
  onBroken(error: Error): void
  /** Called with warnings for the operator. */
  warn(text: string): void
  /** Called with what the operator may want to know. */
  info(text: string): void
}
