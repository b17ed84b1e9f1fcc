import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { EventList } from '../events/event-list.js'
import { EVENT_CSV } from '../events/event-words.js'
import { useHeldWhileRead } from '../events/held-while-read.js'
import type { Live } from '../gateway/live.js'
import { CsvButton } from '../parts/csv-button.js'
import { every } from '../parts/every.js'
import { place } from '../shell/router.js'
import { texts } from '../texts.js'
import { FilteredMessages } from './message-history/filtered-messages.js'
import { filterOf, type MessageFilter } from './message-history/message-filter.js'
import { MessageFilters } from './message-history/message-filters.js'
import { MessageRows } from './message-history/message-rows.js'

const words = texts.equipment
const ROWS = 60
const RENDER_MS = 500

/** The messages with an equipment, each with its SML: the last ones as they come, or those that a filter leaves. */
export function Messages({
  live,
  id,
  isTapped,
}: {
  readonly live: Live
  readonly id: string
  readonly isTapped: boolean
}) {
  const filter = filterOf(place.value.query)
  const list = filter.isSet ? (
    <FilteredMessages key={filter.key} live={live} id={id} filter={filter} />
  ) : (
    <LastMessages live={live} id={id} filter={filter} />
  )
  return (
    <section class="panel" aria-labelledby="messages-heading">
      <h2 id="messages-heading">{words.messages}</h2>
      <MessageFilters filter={filter} isTapped={isTapped} />
      {list}
    </section>
  )
}

interface Props {
  readonly live: Live
  readonly id: string
  readonly filter: MessageFilter
}

function LastMessages({ live, id, filter }: Props) {
  const problem = useSignal('')
  const list = useMemo(
    () =>
      new EventList(
        { types: ['message'], equipmentId: id, labels: live.selector, selector: undefined },
        live.site,
      ),
    [id, live, live.gaps.value],
  )
  useEffect(() => {
    const left = new AbortController()
    problem.value = ''
    const unfollow = live.follow((event) => list.take(event))
    list.load(live.calls, left.signal).catch((error: Error) => {
      if (!left.signal.aborted) problem.value = error.message
    })
    const stop = every(RENDER_MS, () => list.flush())
    return () => {
      left.abort()
      unfollow()
      stop()
    }
  }, [list, live])
  const rows = useHeldWhileRead(list, { isWindow: false })
  // The end of a transaction has no content of its own.
  const messages = list.events.value.filter(({ name }) => name !== 'message_ended')
  return (
    <>
      <div class="panel-head">
        <CsvButton name="messages" rows={messages} columns={EVENT_CSV} />
        <button type="button" aria-pressed={list.isHeld.value} onClick={() => list.hold(!list.isHeld.value)}>
          {list.isHeld.value ? texts.events.resume : texts.events.pause}
        </button>
      </div>
      {problem.value && (
        <p class="problem" role="alert">
          {texts.failed(problem.value)}
        </p>
      )}
      <div ref={rows}>
        <MessageRows today={live.calls.date()} events={messages.slice(0, ROWS)} filter={filter} />
      </div>
      {messages.length === 0 && !list.isLoading.value && <p class="muted">{words.noMessages}</p>}
    </>
  )
}
