import { ACCEPTED_MS, READS_AGAIN_MS } from './ended-tokens.js'
import { NoResponse } from './gateway-process.js'
import { isLinearizable, type Model, type Operation } from './linearizable.js'
import { type Client, type Response, type Site, Watched } from './site.js'

/** Statuses of calls that may have been carried out, or not. */
const UNKNOWN: readonly number[] = [429, 500, 502, 503, 504]
const CALLS_EACH = 3

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type CallRest = [body?: object, headers?: Record<string, string>]
export type Done<In> = Operation<In, Response>

/** A round of calls: several callers at once, each one call after the other, about one thing. */
export class Round<In> {
  readonly done: Done<In>[] = []
  readonly #epoch: number
  readonly #clockChanges: number
  readonly #isDoubtful: boolean
  readonly #watched: Watched
  /** All gateways have known all the time what any of them confirmed a moment ago. */
  #isFine = true

  constructor(
    readonly site: Site,
    /** Calls that another gateway may still respond to as it was a moment ago; none where left out. */
    readonly mayBeStale: (operation: Operation<In, Response>) => boolean = () => false,
  ) {
    this.#isDoubtful = site.clocksDiffer
    this.#watched = new Watched(site, site.machines)
    this.#epoch = site.epoch
    this.#clockChanges = site.clockChanges
  }

  /** A backup was restored, or a clock set, or clocks of gateways differ: what lasts for a time may have ended. */
  get isSpoilt(): boolean {
    return (
      this.#isDoubtful || this.#epoch !== this.site.epoch || this.#clockChanges !== this.site.clockChanges
    )
  }

  /** Where there are several gateways, looks long enough to know what they know when the round begins. */
  async settle(client: Client): Promise<void> {
    if (this.site.machines.length > 1) this.#isFine = await this.#watched.lookFor(client, READS_AGAIN_MS)
  }

  /** The same calls, each as early as it may have been about. */
  get #asEarlyAsMayBe(): readonly Done<In>[] {
    if (this.site.machines.length === 1) return this.done
    const earlier = this.#isFine ? ACCEPTED_MS : READS_AGAIN_MS + ACCEPTED_MS
    return this.done.map((one) => (this.mayBeStale(one) ? { ...one, began: one.began - earlier } : one))
  }

  /** A call with the caller's own token, which is another one where that has ended. */
  call(
    client: Client,
    input: In,
    method: Method,
    path: string,
    ...rest: CallRest
  ): Promise<Response | undefined> {
    return this.#note(client, input, () => client.call(method, path, ...rest), [...UNKNOWN, 401])
  }

  /** A call with this token or API key, which is refused once that has ended; or one that needs none. */
  callWith(
    client: Client,
    input: In,
    token: string | undefined,
    method: Method,
    path: string,
    body?: object,
  ): Promise<Response | undefined> {
    return this.#note(client, input, () => client.send(method, path, token, body), UNKNOWN)
  }

  async #note(
    client: Client,
    input: In,
    call: () => Promise<Response>,
    unknown: readonly number[],
  ): Promise<Response | undefined> {
    const { world } = this.site
    const began = world.now
    this.#isFine = this.#watched.look() && this.#isFine
    const response = await call().catch((error: unknown) => {
      if (error instanceof NoResponse) return undefined
      throw error
    })
    const output = response && !unknown.includes(response.status) ? response : undefined
    this.#isFine = this.#watched.look() && this.#isFine
    const ended = output ? world.now : Number.POSITIVE_INFINITY
    this.done.push({ caller: client.host.name, input, output, began, ended })
    return output
  }

  check<S>(sentence: string, initial: S, model: Model<S, In, Response>): void {
    const { observer } = this.site
    observer.count('rounds of concurrent callers')
    observer.count('calls of concurrent callers', this.done.length)
    observer.require(isLinearizable(initial, this.#asEarlyAsMayBe, model), sentence, () => {
      const lines = this.done.map(
        ({ caller, input, output, began, ended }) =>
          `  ${began.toFixed(2)} to ${ended.toFixed(2)} ${caller} ${JSON.stringify(input)}: ${output?.status} ${JSON.stringify(output?.body)?.slice(0, 300)}`,
      )
      return [JSON.stringify(initial), ...lines].join('\n')
    })
  }
}

/** Two to eight of the callers, each with its own sequence of calls, all at once. */
export async function together(
  callers: readonly Client[],
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const [first] = callers as [Client]
  const some = callers.slice(0, 2 + first.chance.below(callers.length - 1))
  await Promise.all(
    some.map(async (client) => {
      for (let call = 0; call < CALLS_EACH; call++) {
        await client.sleep(client.chance.is(0.5) ? 0 : client.chance.between(0, 5))
        await work(client)
      }
    }),
  )
}
