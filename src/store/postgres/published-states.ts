import type { Cancel } from '../../kit/clock.js'
import type { JsonObject } from '../../kit/text/json.js'
import type { NodesParts } from './nodes.js'

const PUBLISH_MS = 500

/** What this process shows of the keys that it owns, on its way to the database. */
export class PublishedStates {
  readonly #waiting = new Map<string, JsonObject>()
  #cancel: Cancel | undefined

  constructor(
    readonly parts: NodesParts,
    private readonly owns: (key: string) => boolean,
  ) {}

  add(key: string, state: JsonObject): void {
    if (!this.owns(key)) return
    this.#waiting.set(key, state)
    const { clock } = this.parts
    this.#cancel ??= clock.at(clock.now() + PUBLISH_MS, () => {
      this.#cancel = undefined
      // What is lost is published again with the next change.
      this.write().catch(() => {})
    })
  }

  async write(): Promise<void> {
    const states = [...this.#waiting].filter(([key]) => this.owns(key))
    this.#waiting.clear()
    if (states.length === 0) return
    const { database, node, notify } = this.parts
    await database.query(
      `UPDATE lease SET state = s.state, version = v.version
       FROM unnest($1::text[], $2::text[]) AS s (key, state), (SELECT next_version() AS version) AS v
       WHERE lease.key = s.key AND lease.owner = $3`,
      [states.map(([key]) => key), states.map(([, state]) => JSON.stringify(state)), node],
    )
    notify()
  }

  close(): void {
    this.#cancel?.()
  }
}
