import { describe, expect, test } from 'vitest'
import { TOOL_VARIANTS, toolModel } from '../../simulator/gem300/tool-variants.js'
import { SEED, seededRandom } from '../../support/random.js'
import { FollowedTool, TOOL } from './followed-tool.js'
import { knownStates } from './mapped-tool.js'
import { differences, trueStates } from './true-states.js'

/** Of each variant; `TRANSITIONS=10000` for a longer run. */
const TRANSITIONS = Number(process.env['TRANSITIONS'] ?? 600)
const TIMES = ['load_time: 0.05', 'set_up_time: 0.05', 'move_time: 0.02', 'process_time: 0.2'] as const

/** Acts on one connection, of which some events may be lost, and then without one. */
async function round(run: FollowedTool, random: (bound: number) => number): Promise<void> {
  run.loses = random(2) === 0 ? 0 : 1 + random(10)
  run.connect()
  for (let acts = random(40); acts > 0; acts--) await run.step()
  run.disconnect()
  for (let acts = random(15); acts > 0; acts--) await run.step()
  if (random(3) === 0) {
    await run.settled()
    await run.openGateway()
  }
}

/** The link is there, and nothing happens at the tool. */
async function aligned(run: FollowedTool): Promise<readonly string[]> {
  run.loses = 0
  run.report()
  await run.settled()
  run.connect()
  await run.settled()
  const wrong = differences(knownStates(run.objects, TOOL), trueStates(run.tool))
  run.disconnect()
  return wrong
}

/** No event is lost, and nothing is asked. */
async function byEventsAlone(
  run: FollowedTool,
  random: (bound: number) => number,
): Promise<readonly string[]> {
  run.connect()
  await run.settled()
  // What the tool has done meanwhile is known by its replies, and its events tell nothing new.
  run.report()
  await run.drained()
  const before = await run.recordedWays()
  const really = new Map([...run.ways].map(([id, way]) => [id, way.length]))
  for (let acts = random(40); acts > 0; acts--) await run.step()
  await run.drained()
  const wrong = differences(knownStates(run.objects, TOOL), trueStates(run.tool))
  run.disconnect()
  const recorded = await run.recordedWays()
  const ways = [...run.ways].flatMap(([id, way]) => {
    const told = (recorded.get(id) ?? []).slice(before.get(id)?.length ?? 0)
    const is = way.slice(really.get(id) ?? 0)
    return told.join() === is.join() ? [] : [`way of ${id}: recorded ${told.join()}, is ${is.join()}`]
  })
  return [...wrong, ...ways]
}

/**
 * Substrates that events have put at a place, or into a state, in another order than they were there; what was lost may be
 * missing. The reply to a question may come before the events before it: then it is newer than they are.
 */
async function strayed(run: FollowedTool): Promise<readonly string[]> {
  const recorded = await run.recordedWays('event')
  return [...recorded].flatMap(([id, way]) =>
    ['at', 'state', 'processing'].flatMap((kind) => {
      const of = (lines: readonly string[]) => lines.filter((line) => line.startsWith(`${kind} `))
      const is = of(run.ways.get(id) ?? [])
      return isWithin(of(way), is) ? [] : [`way of ${id}: recorded ${of(way).join()}, is ${is.join()}`]
    }),
  )
}

/** Whether all of `part` is in `whole`, in this order. */
function isWithin(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0
  for (const line of whole) if (line === part[at]) at++
  return at === part.length
}

describe.each(TOOL_VARIANTS)('%s', (variant) => {
  test(
    'Whatever happens at the tool and to the link, what is known equals the truth once it is aligned',
    async () => {
      const random = seededRandom(SEED)
      const run = new FollowedTool(toolModel(variant, ...TIMES), [variant], random)
      await run.openGateway()
      let rounds = 0
      while (run.transitions < TRANSITIONS) {
        await round(run, random)
        const wrong = await aligned(run)
        expect(wrong, `again with SEED=${SEED}, round ${rounds}, ${run.transitions} transitions`).toEqual([])
        // A carrier of which an event says only the port has to be asked for.
        const lost = variant === 'events: port_in_name' ? [] : await byEventsAlone(run, random)
        expect(lost, `again with SEED=${SEED}, round ${rounds}, by events`).toEqual([])
        expect(await strayed(run), `again with SEED=${SEED}, round ${rounds}`).toEqual([])
        rounds++
      }
      expect(rounds).toBeGreaterThan(1)
    },
    TRANSITIONS * 100 + 30_000,
  )
})
