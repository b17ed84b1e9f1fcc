import { randomUUID } from 'node:crypto'
import { Problem } from '../../contract/errors.js'
import type { Node } from '../../contract/topics/nodes.js'
import type { Clock } from '../../kit/clock.js'
import { type Ownership, SITE_KEY } from '../../store/ownership.js'

/** This daemon, as its operator calls it. */
export interface OwnNode {
  readonly name: string
  readonly version: string
}

/** The daemons of the site. */
export class SiteNodes {
  readonly #id = randomUUID()
  readonly #startedAt: string
  #url: string | null = null

  /** `equipment`: how many are registered. */
  constructor(
    private readonly own: OwnNode,
    private readonly ownership: Ownership,
    private readonly equipment: () => number,
    clock: Clock,
  ) {
    this.#startedAt = clock.date().toISOString()
  }

  /** Where this daemon is reached. */
  async announce(url: string): Promise<void> {
    this.#url = url
    await this.ownership.announce(url)
  }

  /** By name. */
  list(): Node[] {
    const { ownership } = this
    const { self } = ownership
    if (self === null) return [this.#alone]
    const site = ownership.ownerOf(SITE_KEY)?.id
    return ownership
      .nodes()
      .map(({ expires_in, keys, ...node }) => {
        const has_site_duties = node.id === site
        const equipment = keys - (has_site_duties ? 1 : 0)
        return { ...node, equipment, has_site_duties, self: node.id === self, alive: expires_in > 0 }
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** The daemon gives what it has to the others, or no longer. `given`: its id or its name. */
  async drain(given: string, draining: boolean): Promise<Node> {
    const all = this.list()
    const found = all.filter(({ id, name, alive }) => alive && (id === given || name === given))
    const [node] = found
    if (!node) throw new Problem('node_not_found', `No daemon with the name or id ${given} is alive.`)
    if (found.length > 1)
      throw new Problem('invalid_request', `${found.length} daemons are called ${given}: give the id of one.`)
    const takesOver = (other: Node) =>
      other.id !== node.id && other.alive && !other.draining && other.url !== null
    if (draining && !all.some(takesOver)) {
      const why =
        this.ownership.self === null
          ? 'works on a data folder, so it is the only daemon'
          : 'is the only daemon that takes equipment'
      throw new Problem('node_needed', `${node.name} ${why}: no other can take its equipment.`)
    }
    if (this.ownership.self !== null && !(await this.ownership.drain(node.id, draining)))
      throw new Problem('node_not_found', `${node.name} has just stopped.`)
    return this.list().find(({ id }) => id === node.id) ?? { ...node, draining }
  }

  get #alone(): Node {
    return {
      id: this.#id,
      ...this.own,
      url: this.#url,
      started_at: this.#startedAt,
      equipment: this.equipment(),
      has_site_duties: true,
      lag: 0,
      self: true,
      alive: true,
      draining: false,
    }
  }
}
