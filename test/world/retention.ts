import { toleranceOf } from '../../src/store/retention-clock.js'
import type { GatewayMachine } from './gateway-process.js'
import type { Site } from './site.js'
import type { Storage } from './storage.js'
import { Host } from './world.js'

/** Milliseconds between two looks. */
const LOOK_MS = 10_000
/** A clock may gain the tolerance at one start, and again at the next one. */
const TOLERANCES = 2
/** What goes is a segment of a thirtieth of the age, seen at the next of as many looks, and after two snapshots. */
const LATE_AFTER_AGE = 1 + 6 / 30
const LATE_MS = 2 * 60_000
const DAY_MS = 24 * 60 * 60_000
/** A clock that is not believed is so for a day. */
const DOUBTED_MS = DAY_MS
/** A day is as old as its end, or as the end of the next one where its last entries came late. */
const LATE_DAYS = 2

/** Milliseconds after which an entry is certainly gone, where no clock is doubted. */
export const goneAfter = ({ retention: { maxAge, held }, isInDays }: Storage): number =>
  LATE_MS + (held?.maxAge ?? 0) + (isInDays ? maxAge + LATE_DAYS * DAY_MS : LATE_AFTER_AGE * maxAge)

/** Which entries there were when, by the clock that nobody sets. */
export class RecordedUntil {
  #looks: { readonly at: number; readonly last: number }[] = []

  note(at: number, last: number): void {
    this.#looks.push({ at, last })
  }

  /** Looks before this time are not asked for any more, but for the last of them. */
  forgetBefore(at: number): void {
    const kept = this.#looks.findIndex((look) => look.at >= at)
    if (kept > 1) this.#looks.splice(0, kept - 1)
  }

  /** What had higher numbers is gone, and the numbers may be given again. */
  restored(last: number): void {
    this.#looks = this.#looks.map((look) => ({ ...look, last: Math.min(look.last, last) }))
  }

  /** All entries after this one were made after that moment; undefined where nobody has looked since. */
  lastAfter(at: number): number | undefined {
    return this.#looks.find((look) => look.at >= at)?.last
  }

  /** All entries up to this one were made before that moment; undefined where nobody had looked. */
  lastBefore(at: number): number | undefined {
    return this.#looks.findLast((look) => look.at <= at)?.last
  }
}

/** Looks all the time at what retention has left, whatever clocks show. */
export async function watchRetention(site: Site): Promise<void> {
  const { world, machines, recordedUntil, pace } = site
  const host = new Host('retention', '0.0.0.0', world)
  const watches = machines.map((machine) => new Watch(site, machine))
  for (;;) {
    await world.sleep(host, LOOK_MS * pace)
    const last = site.lastEntry()
    if (last !== undefined) recordedUntil.note(world.now, last)
    for (const watch of watches) watch.look()
    const longest = Math.max(...machines.map(({ storage }) => goneAfter(storage)))
    recordedUntil.forgetBefore(world.now - 2 * longest)
  }
}

/** Compares what one gateway keeps with the limits that it was given. */
class Watch {
  #sizeBefore = 0
  /** The oldest entry at the last look, and how often a backup had been restored then. */
  #first = { entry: 0, epoch: 0 }
  /** Since when its time passes without a doubt. */
  #certainSince = 0
  #process: Host | undefined
  #clockChanges = 0

  constructor(
    readonly site: Site,
    readonly machine: GatewayMachine,
  ) {}

  look(): void {
    const { site, machine } = this
    const { retention, journalSize } = machine.storage
    const { now } = site.world
    const tolerance = toleranceOf(retention)
    const { journal, host } = machine
    const clockChanges = machine.clockChanges + machine.storage.clockChanges()
    // How long nothing ran is not known at a start: then the clock is not believed for a day, as after a change.
    const isNew = this.#process !== undefined && this.#process !== host
    if (isNew || clockChanges !== this.#clockChanges) this.#certainSince = now + DOUBTED_MS
    this.#clockChanges = clockChanges
    if (!journal || machine.isHeld || host.frozenUntil > now) return
    this.#process = host
    const size = journalSize()
    const sizeBefore = Math.max(this.#sizeBefore, size)
    this.#sizeBefore = size
    this.#requireNotBack(journal.first)
    this.#requireKept(journal.first, sizeBefore, tolerance)
    this.#requireHeld(journal.first, sizeBefore, tolerance)
    this.#requireGone(journal.first, tolerance)
  }

  #requireNotBack(entry: number): void {
    const { epoch, observer } = this.site
    const before = this.#first
    this.#first = { entry, epoch }
    observer.require(
      entry >= before.entry || epoch !== before.epoch,
      'What retention has removed stays removed.',
      () => `entry ${entry} is there, and those before ${before.entry} were removed`,
    )
  }

  #requireKept(first: number, size: number, tolerance: number): void {
    const { observer, recordedUntil, world } = this.site
    const { maxAge, maxBytes } = this.machine.storage.retention
    const youngest = recordedUntil.lastAfter(world.now - maxAge + TOLERANCES * tolerance)
    // Half of what is kept goes by size at once where a segment is large.
    const isBySize = size > maxBytes / 2
    observer.require(
      youngest === undefined || isBySize || first <= youngest + 1,
      'If you correct the clock within that day, nothing is deleted early.',
      () => `entries before ${first} are gone; those after ${youngest} are younger than ${maxAge} ms`,
    )
  }

  /** What the first sink has to deliver, which nobody removes. */
  #requireHeld(first: number, size: number, tolerance: number): void {
    const { observer, recordedUntil, world, targets } = this.site
    const { maxAge, maxBytes, held } = this.machine.storage.retention
    const next = targets[0]?.next
    if (!held || next === undefined || size > (maxBytes + held.maxBytes) / 2) return
    const age = maxAge + held.maxAge
    const youngest = recordedUntil.lastAfter(world.now - age + TOLERANCES * tolerance)
    observer.count('looks at history that a sink has not delivered')
    observer.require(
      youngest === undefined || next <= youngest || first <= next,
      'History that a sink has not delivered is kept longer.',
      () => `entries before ${first} are gone; ${next} is younger than ${age} ms, and not delivered`,
    )
  }

  #requireGone(first: number, tolerance: number): void {
    const { observer, recordedUntil, world } = this.site
    const late = goneAfter(this.machine.storage)
    // From then on all that could go was due while nothing was in doubt.
    if (world.now - this.#certainSince < late + tolerance) return
    observer.count('looks at history whose time is over')
    const oldest = recordedUntil.lastBefore(world.now - late)
    observer.require(
      oldest === undefined || first > oldest,
      'keep limits the history.',
      () => `entry ${first} is there; those up to ${oldest} are older than ${late} ms`,
    )
  }
}
