import type { Spool } from '../../src/gem/equipment/spool/spool.js'
import type { Model } from '../../src/simulator/model.js'
import { parseModel } from '../../src/simulator/model-file.js'
import { Simulator } from '../../src/simulator/simulator.js'
import type { Crossing } from '../../src/simulator/wire.js'
import type { Chance } from './chance.js'
import { Host, type World } from './world.js'

const PORT = 5000
/** The collection event that each tool reports, and the variable in its report that counts up. */
const TICK = '100'
export const TICK_REPORT = '10'
export const COUNT = '10'
/** The variable beside it: on a SECS-I line a text that takes several blocks now and then. */
export const NOTE = '11'
const MAX_NOTE = 1200
/** Seconds between two linktests where others have one a minute: the most that the API takes. */
const RARE_LINKTEST = 600
/** Every so many tools one has no rare linktests, however rarely it reports. */
const LINKTEST_EVERY = 3
/** Tools report at the same moments, so many in the time between two reports of one: several come at once. */
const GRID = 5
/** Every so many tools one speaks SECS-I; at every other one of these the gateway is master. */
const SECS1_EVERY = 4
/** Every so many tools one has a host already, and the gateway a tap between the two. */
const TAPPED_EVERY = 5
const FIRST_TAP_PORT = 6000
/** Every so many tools one has a spool, which it sends in pieces of one of these sizes; 0 is all of it. */
const SPOOL_EVERY = 4
const SPOOL_TRANSMITS: readonly number[] = [0, 1, 5]
/** Events that are not reported before somebody wants it, the variable that counts them, and how many there are for each tick. */
export const STEPS: readonly string[] = ['201', '202', '203', '204']
export const STEP = '12'
const STEPS_A_TICK = 0.2
export const ALARMS: readonly string[] = ['1', '2', '3']
/** It seldom ends, so that it outlives the history. */
export const LASTING_ALARM = '3'
const ENDS = 0.1

/** CEID 100, and the number in its report. */
const TICK_TEXT = /<U\d 100>[\s\S]*<U4 (\d+)>/

/** The number in the tick of a tool; undefined for any other S6F11. */
export function tickIn(sml: string): number | undefined {
  const [, count] = TICK_TEXT.exec(sml) ?? []
  return count === undefined ? undefined : Number(count)
}

const MODEL = `
name: tool
mdln: TOOL
softrev: 1.0.0
control_events: { offline: 1, local: 2, remote: 3 }
variables:
  - { id: 1, name: Clock, value: { A: "" }, source: clock }
  - { id: 2, name: ControlState, value: { U1: 0 }, source: control_state }
  - { id: 3, name: AlarmsSet, value: { L: [] }, source: alarms_set }
  - { id: ${COUNT}, name: Count, value: { U4: 0 } }
  - { id: ${NOTE}, name: Note, value: { A: "" } }
  - { id: ${STEP}, name: Step, value: { U4: 0 } }
  - { id: 13, name: EventsEnabled, value: { L: [] }, source: events_enabled }
reports:
  - { id: 1, variables: [ControlState] }
  - { id: ${TICK_REPORT}, variables: [Count, Note] }
events:
  - { id: 1, name: Offline, reports: [1] }
  - { id: 2, name: Local, reports: [1] }
  - { id: 3, name: Remote, reports: [1] }
  - { id: ${TICK}, name: Tick, reports: [${TICK_REPORT}] }
${STEPS.map((id) => `  - { id: ${id}, name: Step${id}, enabled: false }`).join('\n')}
alarms:
  - { id: 1, text: Pressure high, category: 4 }
  - { id: 2, text: Door open, category: 1 }
  - { id: 3, text: Pump worn, category: 6 }
commands:
  - { name: START, parameters: [{ name: JOB, format: A }] }
`

/** Without a spool, or with one that is sent in pieces of this size. */
const modelOf = (spool: number | undefined): Model =>
  parseModel(spool === undefined ? MODEL : `${MODEL}spool: { max_transmit: ${spool} }\n`, 'tool')

/** A tool of the simulated fab: the simulator's own equipment, which reports and counts what the host has acknowledged. */
export class Tool {
  readonly host: Host
  /** The end of its SECS-I line that sends first; undefined where it speaks HSMS. */
  readonly master: 'equipment' | 'host' | undefined
  /** The address of the host that it already has; undefined where the gateway is its host. */
  readonly ownHost: string | undefined
  /** What has come through a tap, what of it is recorded, and what gaps have named; undefined where that is not known. */
  tapped: { passed: number; recorded: number; named: number } | undefined
  readonly simulator: Simulator
  /** Milliseconds between two reports, on average. */
  readonly interval: number
  /** Of its connection, in the words of the API: those that are not as usual. */
  readonly #timers: { readonly linktest?: number }
  readonly #chance: Chance
  readonly #set = new Set<string>()
  /** Alarms whose last report may be gone. */
  readonly #forgotten = new Set<string>()
  /** Reports that were shown before their acknowledgement came. */
  readonly #shown = new Set<number>()
  /** Called with ACKC6 of each S6F12 to a report that left at this time. */
  replied: ((code: string | undefined, reportedAt: number) => void) | undefined
  /** The last report that left while that is set. */
  #reported: { readonly systemBytes: number; readonly at: number } | undefined
  /** A tick that left, where the tool has a spool; and ticks that have left from the spool, with their system bytes. */
  #tick: { readonly systemBytes: number; readonly count: number } | undefined
  readonly spooled = new Map<number, number>()
  #steps = 0
  /** The number in the last report, and those that the host has acknowledged and no reader has shown yet. */
  count = 0
  readonly acknowledged: number[] = []
  acknowledgedInAll = 0
  /** How often START came with each JOB. */
  readonly jobs = new Map<string, number>()
  /** Nothing is to happen at the tool. */
  isPaused = false
  /** The variables of the report of its ticks. */
  reported: readonly string[] = [COUNT, NOTE]

  constructor(
    readonly world: World,
    readonly number: number,
    /** Milliseconds between two reports where it is busy, on average. */
    interval: number,
    /** How many times as rarely it reports. */
    pace = 1,
  ) {
    this.interval = interval * pace
    const isQuiet = pace > 1 && number % LINKTEST_EVERY !== 0
    this.#timers = isQuiet ? { linktest: RARE_LINKTEST } : {}
    this.host = new Host(`tool ${number}`, `10.1.${Math.floor(number / 250)}.${1 + (number % 250)}`, world)
    this.#chance = world.chance.fork(this.host.name)
    if (number % SECS1_EVERY === SECS1_EVERY - 1)
      this.master = number % (2 * SECS1_EVERY) < SECS1_EVERY ? 'equipment' : 'host'
    else if (number % TAPPED_EVERY === TAPPED_EVERY - 1) this.ownHost = `10.4.0.${1 + (number % 250)}`
    const line = this.master && { isMaster: this.master === 'equipment' }
    world.current = this.host
    const spools = number % SPOOL_EVERY === 1 && !this.ownHost
    this.simulator = new Simulator(
      modelOf(spools ? this.#chance.pick(SPOOL_TRANSMITS) : undefined),
      {
        role: 'passive',
        host: this.host.ip,
        port: PORT,
        seed: number,
        line,
        ...(isQuiet && { timers: { linktest: 1000 * RARE_LINKTEST } }),
      },
      { clock: this.host.clock },
    )
    this.simulator.log.on((crossing) => this.#see(crossing))
  }

  #see(crossing: Crossing): void {
    const { direction, stream, function: number, systemBytes } = crossing
    const { spool } = this.simulator.equipment
    if (spool && stream === 6) this.#seeSpooling(crossing, spool)
    if (stream === 2 && number === 41 && direction === 'received') {
      const [job] = /job-\d+/.exec(crossing.sml) ?? []
      if (job !== undefined) this.jobs.set(job, (this.jobs.get(job) ?? 0) + 1)
    } else if (stream !== 6 || !this.replied) return
    else if (number === 11) this.#reported = { systemBytes, at: this.world.now }
    else if (number === 12 && systemBytes === this.#reported?.systemBytes)
      this.replied(/<B (\w+)>/.exec(crossing.sml)?.[1], this.#reported.at)
  }

  /** What is spooled is acknowledged when it leaves the spool. */
  #seeSpooling({ function: number, systemBytes, sml }: Crossing, { states }: Spool): void {
    if (number === 11) {
      const count = tickIn(sml)
      this.#tick = count === undefined ? undefined : { systemBytes, count }
      if (count !== undefined && states.unload === 'TRANSMIT_SPOOL') this.spooled.set(count, systemBytes)
    } else if (number === 12 && systemBytes === this.#tick?.systemBytes && /<B 0x00>/.test(sml))
      this.#acknowledged(this.#tick.count)
  }

  #acknowledged(count: number): void {
    if (!this.#shown.delete(count)) this.acknowledged.push(count)
    this.acknowledgedInAll += 1
  }

  get name(): string {
    return `tool-${this.number}`
  }

  /** How it is registered. */
  get record(): object {
    const { name, host, master, ownHost } = this
    const tap = ownHost && { tap: { host_address: ownHost, listen_port: this.tapPort } }
    const line = master ? { transport: 'secs1-tcp', master } : { timers: this.#timers }
    return { name, ip_address: host.ip, port: PORT, ...line, ...tap }
  }

  get tapPort(): number {
    return FIRST_TAP_PORT + this.number
  }

  /** The ids of the alarms that are set, of those whose last report is not gone. */
  get alarmsSet(): readonly string[] {
    return this.reportedAlarms.filter((id) => this.#set.has(id))
  }

  get reportedAlarms(): readonly string[] {
    return ALARMS.filter((id) => !this.#forgotten.has(id))
  }

  /** A reader was shown this report; returns an earlier one that was acknowledged and not shown. */
  shown(count: number): number | undefined {
    const { acknowledged } = this
    // What passes a tap is recorded or counted.
    while (this.ownHost && (acknowledged[0] ?? count) < count) acknowledged.shift()
    const [first = Number.POSITIVE_INFINITY] = acknowledged
    if (first < count) return first
    if (first === count) acknowledged.shift()
    else this.#shown.add(count)
    return undefined
  }

  /** Reports may be gone: retention or a restore has removed them. */
  forget(): void {
    this.acknowledged.length = 0
    this.#shown.clear()
    this.tapped = undefined
  }

  /** The process of the taps has ended: what passed a moment ago is recorded, or not. */
  tapLost(): void {
    if (!this.ownHost) return
    this.acknowledged.length = 0
    this.tapped = undefined
    this.forgetAlarms()
  }

  /** So many messages are not recorded: those that were acknowledged and were not shown are among them. */
  gap(messages: number): void {
    if (this.tapped) this.tapped.named += messages
    this.acknowledged.length = 0
    this.forgetAlarms()
  }

  /** From now on what passes is counted. */
  countTapped(): void {
    if (this.ownHost) this.tapped = { passed: 0, recorded: 0, named: 0 }
  }

  /** The last report of each alarm may be gone. */
  forgetAlarms(): void {
    for (const id of ALARMS) this.#forgotten.add(id)
  }

  /** Another host defines the report of the ticks anew, with the same variables in another order. */
  redefine(): void {
    const { reports } = this.simulator.equipment
    this.reported = this.reported.toReversed()
    for (const variables of [[], this.reported]) reports.define([{ id: TICK_REPORT, variables }])
    reports.link([{ event: TICK, reports: [TICK_REPORT] }])
  }

  start(): void {
    this.world.after(this.host, 0, () => {
      void this.simulator.start()
      void this.#report()
      void this.#alarm()
    })
  }

  async #report(): Promise<void> {
    for (;;) {
      const at = this.world.now + this.#chance.between(0.2, 1.8) * this.interval
      const grid = this.interval / GRID
      await this.world.sleep(this.host, Math.round(at / grid) * grid - this.world.now)
      if (this.isPaused) continue
      this.count += 1
      const { count } = this
      const { variables } = this.simulator.equipment
      variables.set(COUNT, count)
      if (this.master) variables.set(NOTE, '-'.repeat(this.#chance.below(this.#chance.pick([1, MAX_NOTE]))))
      const isAcknowledged = await this.simulator.equipment.fireEvent(TICK)
      if (isAcknowledged && !this.simulator.equipment.spool) this.#acknowledged(count)
      if (this.#chance.is(STEPS_A_TICK)) this.step(this.#chance.pick(STEPS))
    }
  }

  /** An event happens that is reported where somebody wants it. */
  step(event: string): void {
    this.#steps += 1
    this.simulator.equipment.variables.set(STEP, this.#steps)
    void this.simulator.equipment.fireEvent(event)
  }

  async #alarm(): Promise<void> {
    for (;;) {
      await this.world.sleep(this.host, this.#chance.between(0.2, 1.8) * 40 * this.interval)
      if (!this.isPaused) await this.changeAlarm()
    }
  }

  /** An alarm is set or cleared. */
  async changeAlarm(): Promise<void> {
    const id = this.#chance.pick(ALARMS)
    const set = !this.#set.has(id)
    if (!set && id === LASTING_ALARM && !this.#chance.is(ENDS)) return
    if (set) this.#set.add(id)
    else this.#set.delete(id)
    await this.simulator.equipment.changeAlarm(id, set)
    this.#forgotten.delete(id)
  }
}
