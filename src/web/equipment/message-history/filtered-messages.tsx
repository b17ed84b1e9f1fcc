import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { EVENT_CSV } from '../../events/event-words.js'
import type { Live } from '../../gateway/live.js'
import { CsvButton } from '../../parts/csv-button.js'
import { every } from '../../parts/every.js'
import { texts } from '../../texts.js'
import { eventOf, type MessageFilter } from './message-filter.js'
import { MessageHistory } from './message-history.js'
import { MessageRows } from './message-rows.js'

const words = texts.messages
/** The result of a transaction has no event that a filter could read, so the newest messages are read again. */
const READ_MS = 5000

interface Props {
  readonly live: Live
  readonly id: string
  readonly filter: MessageFilter
}

/** Recorded messages that a filter leaves, the newest first; older ones are searched when they are wanted. */
export function FilteredMessages({ live, id, filter }: Props) {
  const problem = useSignal('')
  const isBusy = useSignal(false)
  const history = useMemo(() => new MessageHistory(live.calls, id, filter), [live, id, filter.key])
  const left = useMemo(() => new AbortController(), [history])
  const run = async (read: Promise<void>): Promise<void> => {
    isBusy.value = true
    try {
      await read
      problem.value = ''
    } catch (error) {
      if (!left.signal.aborted) problem.value = error instanceof Error ? error.message : ''
    } finally {
      isBusy.value = false
    }
  }
  useEffect(() => {
    if (filter.isBad) return
    void run(history.readOlder(left.signal))
    const stop = every(READ_MS, () => {
      if (!isBusy.peek() && !document.hidden && !live.isStale.peek()) void run(history.readNewer(left.signal))
    })
    return () => {
      left.abort()
      stop()
    }
  }, [history])
  if (filter.isBad) return <p class="problem">{words.bad(filter.message)}</p>
  const events = history.messages.value.map(eventOf)
  const hasOlder = history.hasOlder.value
  return (
    <>
      <div class="panel-head">
        <CsvButton name="messages" rows={events} columns={EVENT_CSV} />
        <span class="muted" role="status">
          {words.count(events.length, !hasOlder)}
        </span>
      </div>
      {problem.value && (
        <p class="problem" role="alert">
          {texts.failed(problem.value)}
        </p>
      )}
      <MessageRows today={live.calls.date()} events={events} filter={filter} />
      {events.length === 0 && !isBusy.value && (
        <p class="muted">{hasOlder ? words.searching : words.noMatch}</p>
      )}
      {hasOlder && (
        <button
          type="button"
          disabled={isBusy.value}
          onClick={() => void run(history.readOlder(left.signal))}
        >
          {words.older}
        </button>
      )}
    </>
  )
}
