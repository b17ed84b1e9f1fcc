import type { Clock } from '../../kit/clock.js'
import type { Site } from './site.js'

/** Seconds for which the gateway keeps the replies of a run that has ended without a word, and how often they are renewed. */
const [LEASE_S, RENEWAL_S] = [60, 20]

/** The replies that a scenario wants the gateway to give, kept alive while the run lasts. */
export class LeasedReplies {
  #wanted: Readonly<Record<string, string>> = {}
  /** Undefined while it is not known what the gateway replies. */
  #key: string | undefined = '{}'
  /** Renewals that are under way: what is wanted next is set after them. */
  #renewing: Promise<unknown> = Promise.resolve()
  #cancel = (): void => {}

  constructor(
    private readonly site: Pick<Site, 'setReplies'>,
    private readonly clock: Clock,
  ) {}

  /** Resolves when the gateway gives these replies, and no others of this run. */
  async want(replies: Readonly<Record<string, string>>): Promise<void> {
    const key = JSON.stringify(replies)
    if (key === this.#key) return
    this.#cancel()
    this.#key = undefined
    await this.#renewing
    await this.site.setReplies(replies, LEASE_S)
    this.#wanted = replies
    this.#key = key
    if (key !== '{}') this.#renewLater()
  }

  /** The usual replies again. Never rejects: without the gateway the lease ends by itself. */
  async end(): Promise<void> {
    await this.want({}).catch(() => {})
    this.#cancel()
  }

  #renewLater(): void {
    this.#cancel = this.clock.at(this.clock.now() + RENEWAL_S * 1000, () => {
      // The next renewal comes before the lease ends.
      const renewed = this.site.setReplies(this.#wanted, LEASE_S).catch(() => {})
      this.#renewing = Promise.all([this.#renewing, renewed])
      this.#renewLater()
    })
  }
}
