import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { FleetMember } from '../src/cli/simulator/fleet.js'
import { systemClock as clock } from '../src/kit/clock.js'
import { Fleet } from '../src/simulator/fleet.js'
import type { FleetFigures } from '../src/simulator/fleet-count.js'
import type { FleetOptions } from '../src/simulator/fleet-member.js'
import { shippedModel } from '../src/simulator/shipped-models.js'

/** What one equipment said, and how much of it was acknowledged. */
export interface Said {
  readonly name: string
  readonly sent: number
  readonly acknowledged: number
}

interface Answers {
  start: null
  /** Where they are met: of those that listen once they do. */
  members: readonly FleetMember[]
  report: null
  cut: null
  quiet: null
  warm: null
  figures: FleetFigures
  said: readonly Said[]
}
type Order = keyof Answers

/** Runs a fleet in this process for the process that started it. */
export async function serveFleet(options: FleetOptions): Promise<void> {
  const model = shippedModel('etcher')
  if (!model) throw new Error('there is no etcher')
  const fleet = new Fleet(model, options, clock)
  const orders: { [Name in Order]: () => Answers[Name] | Promise<Answers[Name]> } = {
    start: async () => {
      await fleet.start()
      return null
    },
    members: () =>
      fleet.members.map(({ name, simulator, address = '' }) => ({
        name,
        ip_address: address,
        port: simulator.port,
        mode: options.role,
      })),
    report: () => {
      fleet.report()
      return null
    },
    cut: () => {
      fleet.cut()
      return null
    },
    quiet: async () => {
      await fleet.quiet()
      return null
    },
    warm: () => {
      fleet.forgetLatencies()
      return null
    },
    figures: () => fleet.figures,
    said: () => fleet.members.map(({ name, sent, acknowledged }) => ({ name, sent, acknowledged })),
  }
  process.on('message', async (order: Order) => process.send?.(await orders[order]()))
  process.on('disconnect', () => process.exit())
}

/** A fleet in a process of its own. One order at a time. */
export class FleetProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<never>

  /** `program` is this very program, which runs `serveFleet` when it is told "fleet" and the options. */
  constructor(program: string, options: FleetOptions) {
    this.#child = fork(program, ['fleet', JSON.stringify(options)])
    this.#ended = once(this.#child, 'exit').then(() => Promise.reject(new Error('the fleet has ended')))
    this.#ended.catch(() => {}) // told to whoever waits for an answer
  }

  async tell<Name extends Order>(order: Name): Promise<Answers[Name]> {
    const answered = new Promise((resolve) => this.#child.once('message', resolve))
    this.#child.send(order)
    const answer = await Promise.race([answered, this.#ended])
    return answer as Answers[Name]
  }

  end(): void {
    this.#child.kill()
  }
}
