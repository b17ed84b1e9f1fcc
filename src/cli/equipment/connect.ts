import type { GatewayClient } from '../../client/client.js'
import { Unreachable } from '../../client/failures.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import { Problem } from '../../contract/errors.js'
import type { Event } from '../../contract/topics/events.js'
import { standing, whoDials } from '../../inspection/dialling.js'
import { type Clock, delay } from '../../kit/clock.js'
import { argumentWord } from '../../kit/shell-word.js'
import { Failure } from '../errors/failure.js'
import { eventSummary } from '../events/event-output.js'
import { GatewayCommand } from '../gateway-command.js'
import { SEVERAL_EQUIPMENT } from '../input/arguments.js'
import { parseDuration } from '../input/durations.js'
import { textFlag } from '../input/flags.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import type { Progress } from '../output/progress.js'
import { verb } from '../verb.js'
import { type Settled, settledAtOnce } from './calls-at-once.js'
import { equipmentColumns } from './equipment-output.js'
import { LIST_TARGETS, TARGET_FLAGS } from './equipment-targets.js'
import { sharedAddressNotes } from './shared-address.js'
import { namesOf, withUnreached } from './unreached.js'

const LOOK_INTERVAL_MS = 250

/** Prints each connection and state change of one equipment during a wait. None is missed. */
class EquipmentChanges {
  readonly #stopped = new AbortController()
  #lastShown = 0
  #running: Promise<void> | undefined

  constructor(
    readonly client: GatewayClient,
    readonly equipment: Pick<Equipment, 'id' | 'name'>,
    readonly progress: Progress,
    readonly clock: Clock,
  ) {}

  async start(): Promise<void> {
    this.#lastShown = Number((await this.#newest(1))[0]?.id ?? 0)
    this.#running = this.#follow()
  }

  /** Prints the changes until now, then stops. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#running?.catch(() => {}) // the response of the call itself reports the fault
  }

  async #follow(): Promise<void> {
    for (;;) {
      await delay(this.clock, LOOK_INTERVAL_MS, this.#stopped.signal)
      const last = this.#stopped.signal.aborted
      const events = (await this.#newest(100)).filter(({ id }) => Number(id) > this.#lastShown)
      for (const event of events.reverse()) {
        this.#lastShown = Number(event.id)
        this.progress.line(`${this.equipment.name}: ${event.name}  ${eventSummary(event)}`.trimEnd())
      }
      if (last) return
    }
  }

  async #newest(limit: number): Promise<Event[]> {
    const query = { equipment_id: this.equipment.id, type: ['connection' as const, 'state' as const], limit }
    return (await this.client.call(endpoints.listEvents, { query })).items
  }
}

/** The longest that one call waits, in seconds. */
const MAX_CALL = 120

/** Calls that wait at once: a gateway keeps 1,024 connections of one address. */
const MOST_WAITING = 256

/** Lines that say why equipment did not connect. */
const MOST_REASONS = 10

export const equipmentConnect = verb(GatewayCommand, {
  summary: 'Connect to equipment, and stay connected until `equipment disconnect`.',
  description:
    'The gateway tries again until `equipment disconnect`, also after a restart. This command waits until the equipment is selected and communicating. It does not ask first, also for several.',
  examples: [
    'secsctl equipment connect etcher',
    'secsctl equipment connect etcher coater --wait 1m',
    'secsctl equipment connect --all --wait 0s',
  ],
  args: { equipment: SEVERAL_EQUIPMENT },
  strict: false,
  flags: {
    ...REASON_FLAG,
    ...TARGET_FLAGS,
    'dry-run': LIST_TARGETS,
    wait: textFlag('DURATION', 'How long to wait until it communicates; 0s does not wait.', {
      default: '10s',
    }),
  },
  async run(on, { words, flags }) {
    const wait = parseDuration(flags.wait, '--wait')
    const chosen = await on.chosen(words, flags.all, flags.selector)
    if (!(await on.goesOn(chosen, flags, false))) return
    const { done, failure } = await on.during(`connecting to ${namesOf(chosen)}`, async (progress) => {
      const until = on.clock.now() + wait
      // All begin now, also those for which no call waits yet.
      if (wait > 0 && chosen.length > MOST_WAITING)
        await settledAtOnce(chosen, (one) => connectOne(on, one, 0))
      const connect = async (one: Equipment): Promise<Equipment> => {
        if (chosen.length === 1) return connectOne(on, one, wait, until, progress)
        const reached = await connectOne(on, one, wait, until)
        if (wait > 0) progress.line(`${reached.name}: ${standing(reached)}`)
        return reached
      }
      // Those that are waited for are waited for together.
      return wait === 0 ? settledAtOnce(chosen, connect) : allOf(chosen, connect)
    })
    if (chosen.length > 1 && wait > 0) on.note(`${done.length} of ${chosen.length} communicate.`)
    if (failure === undefined || done.length > 0)
      await on.printList(done, equipmentColumns(on.formatTime), 'No equipment to connect.')
    if (failure === undefined) return
    const left = chosen.filter(({ id }) => !done.some((one) => one.id === id)).map(({ name }) => name)
    if (!(failure instanceof Unreachable) && on.format !== 'json')
      for (const note of sharedAddressNotes(left, await on.allEquipment())) on.note(note)
    throw withUnreached(failure, 'Not connected', chosen, done)
  },
})

async function connectOne(
  on: GatewayCommand,
  equipment: Equipment,
  asked: number,
  until = on.clock.now(),
  progress?: Progress,
): Promise<Equipment> {
  // The host of tapped equipment connects when it wants to.
  const wait = equipment.tap ? 0 : asked
  const client = await on.client()
  const changes = progress && new EquipmentChanges(client, equipment, progress, on.clock)
  if (wait > 0) await changes?.start()
  try {
    for (;;) {
      const left = wait === 0 ? 0 : Math.max(0, until - on.clock.now())
      const query = { wait: Math.min(MAX_CALL, left / 1000) }
      const given = { params: { id: equipment.id }, query }
      const { status, body } = await client
        .callFull(endpoints.connectEquipment, given)
        .catch(async (error: unknown) => {
          if (!(error instanceof Problem) || error.code !== 'not_connected_in_time') throw error
          const { id } = equipment
          return { status: 202, body: await client.call(endpoints.getEquipment, { params: { id } }) }
        })
      if (status === 200 || wait === 0) return body
      if (on.clock.now() < until) continue
      const { last_error, name } = body
      const why = last_error
        ? `${last_error.code}: ${last_error.detail}`
        : `${body.connection_state}, ${body.communication_state}`
      throw new Failure(
        'timeout',
        `${name} did not connect within ${wait / 1000} s (${why}). ${whoDials(body)} The gateway tries again.`,
        `secsctl equipment show ${argumentWord(name)}`,
      )
    }
  } finally {
    await changes?.stop()
  }
}

/**
 * The equipment that is reached, once all attempts have ended. Several failures become one with all their messages;
 * where no gateway responds, it is that failure alone.
 */
async function allOf(
  chosen: readonly Equipment[],
  connect: (one: Equipment) => Promise<Equipment>,
): Promise<Settled<Equipment>> {
  const ends: PromiseSettledResult<Equipment>[] = []
  const left = chosen.entries()
  const caller = async (): Promise<void> => {
    for (const [place, one] of left) {
      const [end] = await Promise.allSettled([connect(one)])
      ends[place] = end
    }
  }
  await Promise.all(Array.from({ length: MOST_WAITING }, caller))
  const done = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
  const failed = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as Error] : []))
  const [first] = failed
  const unreachable = failed.find((one) => one instanceof Unreachable)
  if (unreachable) return { done, failure: unreachable }
  if (failed.length < 2) return { done, ...(first && { failure: first }) }
  const kind = first instanceof Failure || first instanceof Problem ? first.kind : 'unexpected'
  const reasons = [...new Set(failed.map(({ message }) => message))]
  const more = reasons.length - MOST_REASONS
  const lines = [...reasons.slice(0, MOST_REASONS), ...(more > 0 ? [`and ${more} more`] : [])]
  return { done, failure: new Failure(kind, lines.join('\n'), 'secsctl equipment list') }
}
