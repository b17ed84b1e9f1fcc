import { expect, test } from 'vitest'
import type { Problem } from '../../src/contract/errors.js'
import type { JsonObject } from '../../src/kit/text/json.js'
import { A, L } from '../../src/secs2/item.js'
import type { Entry, NewEntry } from '../../src/store/entry.js'
import { NotOwner, StoreUnavailable, Unsettled } from '../../src/store/failure.js'
import { LiveGateway } from '../support/live-gateway.js'
import { ManualClock } from '../support/manual-clock.js'
import { HeldJournal } from '../support/memory-store.js'
import type { ScriptedEquipment } from '../support/scripted-equipment.js'
import { until } from '../support/until.js'

/**
 * `late`: it is recorded after its caller has given up; `never`: its caller has given up, and it is not recorded; `new owner`:
 * it is recorded, and another process has become the owner.
 */
type How = 'refused' | 'late' | 'never' | 'new owner'

/** A journal that fails some of the appends after `arm`. */
class FailingJournal extends HeldJournal {
  #appends = 0
  #faults: { readonly from: number; readonly to: number; readonly how: How } | undefined

  arm(from: number, count: number, how: How): void {
    this.#appends = 0
    this.#faults = { from, to: from + count, how }
  }

  override async appendAll(entries: readonly NewEntry[]): Promise<readonly Entry[]> {
    const append = () => super.appendAll(entries)
    const { from, to, how } = this.#faults ?? { from: 0, to: 0, how: 'refused' }
    this.#appends += 1
    if (this.#appends < from || this.#appends >= to) return append()
    if (how === 'refused') throw new StoreUnavailable('The database is away.')
    if (how === 'new owner') throw new NotOwner('Another process owns it now.', await append())
    throw new Unsettled(new Error('slow'), how === 'late' ? append() : Promise.resolve(undefined))
  }
}

/** The system bytes of all primaries that come; each gets its reply. */
function answering(tool: ScriptedEquipment): number[] {
  const came: number[] = []
  void (async () => {
    for (;;) {
      const primary = await tool.next()
      came.push(primary.systemBytes)
      tool.answer(primary, { function: 2, item: L(A('M'), A('1')) })
    }
  })().catch(() => {})
  return came
}

const CASES = ([1, 2, 3, 4] as const).flatMap((from) =>
  [1, 2, 3].flatMap((count) =>
    (['refused', 'late', 'never'] as const).map((how) => [from, count, how] as [number, number, How]),
  ),
)

test.each<[from: number, count: number, how: How]>([...CASES, [2, 1, 'new owner']])(
  'a message is sent once, and one that was not sent is told so: append %i and %i in all fail, %s',
  async (from, count, how) => {
    const [journal, clock] = [new FailingJournal(), new ManualClock()]
    const live = await LiveGateway.open({ journal, clock })
    const { equipment: tool, id } = await live.connectScripted()
    const came = answering(tool)
    const { idempotency, messages } = live.gateway
    const send = async (): Promise<string> => {
      try {
        await idempotency.run('ada', 'key', 'content', async (request) => {
          const { result } = await messages.send(id, { stream: 1, function: 1 }, { request })
          return { status: 200, body: JSON.parse(JSON.stringify(result)) as JsonObject }
        })
        return 'done'
      } catch (error) {
        return (error as Problem).code ?? (error as Error).name
      }
    }
    journal.arm(from, count, how)
    await send()
    let repeated = ''
    await until(async () => {
      clock.advance(1000)
      repeated = await send()
      return repeated === 'done' || repeated === 'outcome_unknown'
    })
    expect(came).toHaveLength(1)
    const { items } = await messages.list({ direction: 'sent' })
    await until(async () => {
      clock.advance(1000)
      const all = await Promise.all(items.map((message) => messages.get(message.id)))
      return all.every(({ outcome }) => outcome !== 'pending')
    })
    for (const { id, system_bytes } of items.filter(({ function: fn }) => fn === 1)) {
      const { outcome } = await messages.get(id)
      expect(outcome === 'not_sent', `${id} ${outcome}`).toBe(!came.includes(system_bytes))
    }
    // Only of a message that was sent, and whose reply was not recorded, nobody knows whether it has had its effect.
    expect(repeated).toBe(from === 3 ? 'outcome_unknown' : 'done')
  },
)
