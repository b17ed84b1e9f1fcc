import type { Clock } from '../../../kit/clock.js'
import { type FailStop, StoreDamaged } from '../../failure.js'
import { RetentionClock, toleranceOf } from '../../retention-clock.js'
import type { FirstHeld, RetentionPolicy } from '../../retention-policy.js'
import type { Checkpoint } from '../documents/checkpoint.js'
import type { SealedSegment } from '../segments/sealed-segment.js'
import type { SegmentWorld } from '../segments/segment.js'
import type { AttachedViews } from '../views/attached-views.js'
import { deleteSegments } from './delete-segments.js'
import type { PinnedEntries } from './pinned-entries.js'
import { countToDelete } from './segments-to-delete.js'

export interface MaintenanceParts {
  readonly world: SegmentWorld
  readonly failStop: FailStop
  readonly clock: Clock
  readonly pinned: PinnedEntries
  readonly views: AttachedViews
  readonly retention: RetentionPolicy
  readonly checkpoint?: Checkpoint | undefined
  /** The time of another journal of the folder; one of its own when left out. */
  readonly time?: RetentionClock | undefined
  /** Called with warnings for the operator; nothing stops. */
  readonly warn: (text: string) => void
  /** Called with what the operator may want to know. */
  readonly info: (text: string) => void
}

/** The parts of a journal that maintenance works on. */
export interface Kept {
  readonly sealed: SealedSegment[]
  readonly newest: { readonly size: number; readonly earliest: number; readonly latest: number }
  /** The last entry that the views were shown, and the CRC that its line carries. */
  readonly shown: { readonly seq: number; readonly mark: string }
}

/** Snapshots of the views, and retention: beside the appends, which wait for none of it. */
export class Maintenance {
  #running: Promise<void> | undefined
  #again = false
  /** The clock by which entries reach the retention age. */
  readonly time: RetentionClock
  firstHeld: FirstHeld = async () => Number.POSITIVE_INFINITY

  constructor(
    readonly parts: MaintenanceParts,
    readonly kept: Kept,
  ) {
    this.time = parts.time ?? openTime(parts, kept)
    if (!parts.time) parts.checkpoint?.keepTime(this.time)
  }

  /** Writes snapshots, then applies retention; if this is already running, repeats it afterwards. */
  begin(): void {
    if (!this.parts.views.known) return
    this.#again = true
    this.#running ??= this.#run()
  }

  /** Resolves when nothing is under way and the views have their last snapshot. */
  async end(): Promise<void> {
    await this.#running
    await this.#guarded(() => this.#snapshot())
  }

  async #run(): Promise<void> {
    while (this.#again) {
      this.#again = false
      await this.#guarded(async () => {
        await this.#snapshot()
        await this.#deleteOld()
      })
    }
    this.#running = undefined
  }

  async #snapshot(): Promise<void> {
    const { views } = this.parts
    const { seq, mark } = this.kept.shown
    await views.write(views.capture(seq, mark))
  }

  async #deleteOld(): Promise<void> {
    const { world, pinned, views, retention, warn, info } = this.parts
    const { sealed, newest } = this.kept
    const firstHeld = await this.firstHeld()
    const now = this.time.now()
    const newestEarliest = newest.earliest
    const state = { newestSize: newest.size, newestEarliest, covered: views.covered, now, firstHeld }
    const count = countToDelete(sealed, state, retention)
    if (count === 0) return
    const [from, to] = [sealed[0]?.first ?? 0, sealed[count - 1]?.last ?? 0]
    const needed = views.pinned(to + 1)
    try {
      await deleteSegments({ world, pinned, needed }, sealed, count)
      info(`retention removed entries ${from} to ${to} of the history`)
    } catch (error) {
      if (!(error instanceof StoreDamaged)) throw error
      warn(`retention takes nothing, since what has to be kept cannot be read: ${error.message}`)
    }
  }

  /** Nothing is begun once something has failed; what fails here ends everything, too. */
  async #guarded(run: () => Promise<void>): Promise<void> {
    if (this.parts.failStop.failure) return
    try {
      await run()
    } catch (error) {
      this.parts.failStop.stop(error)
    }
  }
}

/** Goes on from what the process before believed; where it left nothing, from the newest entry. */
function openTime({ clock, checkpoint, retention }: MaintenanceParts, kept: Kept): RetentionClock {
  const tolerance = toleranceOf(retention)
  return new RetentionClock(clock, checkpoint?.believed(tolerance) ?? latestOf(kept), tolerance)
}

/** When the newest entry was made, by the clock of then. */
const latestOf = ({ sealed, newest }: Kept): number | undefined =>
  [...sealed.slice(-1), newest].map(({ latest }) => latest).findLast(Number.isFinite)
