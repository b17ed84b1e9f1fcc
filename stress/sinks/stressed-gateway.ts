import { connectFleet, type FleetMember } from '../../src/cli/simulator/fleet.js'
import type { GatewayClient } from '../../src/client/client.js'
import { exportJournal } from '../../src/client/journal.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { EVENT_TYPES } from '../../src/contract/topics/events.js'
import type { NewSink, Sink } from '../../src/contract/topics/sinks/sink.js'
import { systemClock as clock, delay } from '../../src/kit/clock.js'
import type { Installed, SoakedDaemon } from '../soak-daemon.js'
import type { Recorded } from './check.js'

const MIB = 1024 ** 2
/**
 * Less history than this cannot be asked for, and so much more waits for a sink. Whole segments of 16 MiB are removed,
 * each time that one is full.
 */
const LEAST = { size: '64MiB', held: '16MiB' }
const FILLED = { before: 84, after: 20 }

/** The daemon under test, with the sinks that it was given, and what its journal ever had. */
export class StressedGateway {
  readonly recorded = new Map<number, Recorded>()
  #daemon: SoakedDaemon | undefined
  #seen = 0
  #ids: readonly string[] = []
  #filler = ''

  constructor(private readonly installed: Installed) {}

  async start(kept?: typeof LEAST): Promise<void> {
    const flags = ['--allow-local-sinks', '--sinks-folder', `${this.installed.home}/files`]
    const held = kept ? ['--sinks-keep-size', kept.held] : []
    this.#daemon = await this.installed.daemon([...flags, ...held], kept?.size)
  }

  get client(): GatewayClient {
    if (!this.#daemon) throw new Error('the daemon does not run')
    return this.#daemon.client
  }

  get memory(): number {
    return this.#daemon?.memory ?? Number.NaN
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#daemon?.signal('SIGCONT')
    await this.#daemon?.end(signal)
  }

  async stopFor(milliseconds: number): Promise<void> {
    this.#daemon?.signal('SIGSTOP')
    await delay(clock, milliseconds)
    this.#daemon?.signal('SIGCONT')
  }

  /** `filler`: equipment whose messages only make the history larger. */
  async register(members: readonly FleetMember[], filler: readonly FleetMember[]): Promise<void> {
    this.#ids = await connectFleet(this.client, members)
    ;[this.#filler = ''] = await connectFleet(this.client, filler)
  }

  add(sink: NewSink): Promise<Sink> {
    return this.client.call(endpoints.createSink, { body: sink })
  }

  async sinks(): Promise<readonly Sink[]> {
    return (await this.client.call(endpoints.listSinks, { query: { limit: 50 } })).items
  }

  async sink(name: string): Promise<Sink> {
    const found = (await this.sinks()).find((one) => one.name === name)
    if (!found) throw new Error(`there is no sink ${name}`)
    return found
  }

  /** Ends the wait of a sink before its next attempt. */
  async hurry({ id }: Sink): Promise<void> {
    await this.client.call(endpoints.resumeSink, { params: { id } })
  }

  /** Resolves once the sinks have delivered all that was recorded before; false when that takes too long. */
  async drain(seconds: number, spared: readonly string[] = []): Promise<boolean> {
    const until = clock.now() + seconds * 1000
    const target = await this.#last()
    while (clock.now() < until) {
      const behind = (await this.sinks()).filter(
        ({ name, position }) => Number(position) < target && !spared.includes(name),
      )
      if (behind.length === 0) return true
      for (const sink of behind) if (sink.last_error) await this.hurry(sink)
      await delay(clock, 500)
    }
    return false
  }

  /** Reads what was recorded since the last time: retention may remove it afterwards. */
  async remember(): Promise<void> {
    const query = { equipment_id: [...this.#ids], type: [...EVENT_TYPES], after: this.#seen }
    for await (const { seq, text } of this.#exported(query)) {
      const { key, name } = JSON.parse(text) as Recorded
      this.recorded.set(seq, { key, name })
      this.#seen = seq
    }
  }

  /** Makes the history so long, while so little of it is kept, that its oldest segments are removed. Returns the oldest entry that is left. */
  async forget(): Promise<number> {
    await this.#fill(FILLED.before)
    await this.remember()
    await this.end('SIGTERM')
    await this.start(LEAST)
    await this.#connected()
    await this.#fill(FILLED.after)
    let first = 1
    for (let unchanged = 0; unchanged < 4; await delay(clock, 250)) {
      const now = await this.#first()
      unchanged = now > 1 && now === first ? unchanged + 1 : 0
      first = now
    }
    return first
  }

  /** The filler can be sent messages. */
  async #connected(): Promise<void> {
    await this.client.call(endpoints.connectEquipment, { params: { id: this.#filler }, query: { wait: 30 } })
  }

  /** Records so many MiB. */
  async #fill(mebibytes: number): Promise<void> {
    const body = { sml: `S2F25 W <A "${'x'.repeat(MIB)}">`, wait_for_reply: false }
    // On disk the body is Base64.
    for (let size = 0; size < mebibytes; size += 4 / 3)
      await this.client.call(endpoints.sendMessage, { params: { id: this.#filler }, body })
  }

  async #first(): Promise<number> {
    const before = new AbortController()
    for await (const { seq } of this.#exported({}, before.signal)) return seq
    return 0
  }

  async #last(): Promise<number> {
    const [sink] = await this.sinks()
    return sink ? Number(sink.position) + sink.lag_entries : 0
  }

  #exported(query: object, signal = new AbortController().signal) {
    return exportJournal({ ...this.client.options, clock }, query, signal)
  }
}
