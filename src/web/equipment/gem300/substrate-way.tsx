import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Event } from '../../../contract/topics/events.js'
import { substrateEndpoints } from '../../../contract/topics/gem300/substrates.js'
import type { Live } from '../../gateway/live.js'
import type { CsvColumn } from '../../parts/csv.js'
import { CsvButton } from '../../parts/csv-button.js'
import { Time } from '../../parts/time.js'
import { texts } from '../../texts.js'

const words = texts.gem300
/** Changes of a substrate that are shown: the newest. */
const MOST_CHANGES = 200

/** One change of a substrate, as it was recorded. */
export interface Step {
  readonly id: string
  readonly at: string
  readonly state: string
  readonly from: string | null
  readonly to: string
  readonly details?: Readonly<Record<string, string>>
}

/** The step that an event about this substrate is; undefined for another one. */
function stepOf({ type, name, id, at, data }: Event, substrate: string): Step | undefined {
  if (type !== 'state' || name !== 'substrate_state') return undefined
  const change = data as unknown as Omit<Step, 'id' | 'at'> & { readonly object_id: string }
  return change.object_id === substrate ? { id, at, ...change } : undefined
}

/** Steps in the order in which they happened, each once. */
function inOrder(steps: readonly Step[]): readonly Step[] {
  const byId = new Map(steps.map((step) => [step.id, step]))
  return [...byId.values()].sort((one, other) => Number(one.id) - Number(other.id)).slice(-MOST_CHANGES)
}

/** The way of a substrate: what was recorded, and what comes. Nothing is asked of the equipment. */
function useWay(live: Live, id: string, substrate: string) {
  const steps = useSignal<readonly Step[] | undefined>(undefined)
  const problem = useSignal('')
  useEffect(() => {
    const left = new AbortController()
    let arrived: readonly Step[] = []
    const load = async (): Promise<void> => {
      steps.value = undefined
      problem.value = ''
      const found: Step[] = []
      let cursor: string | null | undefined
      do {
        const query = { limit: MOST_CHANGES, ...(cursor && { cursor }) }
        const call = { params: { id, substrate }, query }
        const page = await live.calls.call(substrateEndpoints.listSubstrateHistory, call, left.signal)
        found.push(...page.items)
        cursor = page.next_cursor
      } while (cursor && found.length < MOST_CHANGES)
      steps.value = inOrder([...found, ...arrived])
    }
    const unfollow = live.follow((event) => {
      const step = event.equipment_id === id ? stepOf(event, substrate) : undefined
      if (!step) return
      arrived = inOrder([...arrived, step])
      if (steps.peek()) steps.value = inOrder([...(steps.peek() ?? []), step])
    })
    load().catch((error: Error) => {
      if (!left.signal.aborted) problem.value = error.message
    })
    return () => {
      left.abort()
      unfollow()
    }
  }, [id, substrate, live, live.gaps.value])
  return { steps: steps.value, problem: problem.value }
}

const CSV: readonly CsvColumn<Step>[] = [
  ['at', ({ at }) => at],
  ['state', ({ state }) => state],
  ['from', ({ from }) => from ?? ''],
  ['to', ({ to }) => to],
  ['location', ({ details }) => details?.['location']],
]

interface Props {
  readonly live: Live
  readonly id: string
  readonly substrate: string
}

/** Where a substrate was and what was done with it, from its first change on. */
export function SubstrateWay({ live, id, substrate }: Props) {
  const { steps, problem } = useWay(live, id, substrate)
  const today = live.calls.date()
  return (
    <section class="way" aria-label={words.wayOf(substrate)}>
      <div class="panel-head">
        <h5>{words.wayOf(substrate)}</h5>
        {steps && <CsvButton name="substrate" rows={steps} columns={CSV} />}
      </div>
      {problem && <p class="problem">{texts.failed(problem)}</p>}
      {!steps && !problem && <p class="muted">{texts.loading}</p>}
      {steps?.length === 0 && <p class="muted">{words.noWay}</p>}
      {steps && steps.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it as well
        <ol class="bounded" tabIndex={0} aria-label={words.wayOf(substrate)}>
          {steps.map((step) => (
            <li key={step.id}>
              <Time at={step.at} today={today} /> <StepText step={step} />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function StepText({ step: { from, to, details } }: { readonly step: Step }) {
  const location = details?.['location']
  return (
    <span>
      {location !== undefined && <b>{`→ ${location} `}</b>}
      {from !== to && to}
    </span>
  )
}
