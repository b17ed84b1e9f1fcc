import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { EVENT_TYPES, type Event, type EventType } from '../../contract/topics/events.js'
import { delay } from '../../kit/clock.js'
import type { Live } from '../gateway/live.js'
import { readEvent } from '../gateway/read-event.js'
import type { Tool } from '../gateway/site.js'
import { CsvButton } from '../parts/csv-button.js'
import { every } from '../parts/every.js'
import { LabelFilter } from '../parts/label-filter.js'
import { selectorOf } from '../parts/labels.js'
import { VirtualList } from '../parts/virtual-list.js'
import type { PageProps } from '../shell/page-props.js'
import { place, setQuery } from '../shell/router.js'
import { texts } from '../texts.js'
import { EventList, isEventType, USUAL_TYPES } from './event-list.js'
import { EventRow } from './event-row.js'
import { EVENT_CSV } from './event-words.js'
import { useHeldWhileRead } from './held-while-read.js'

const words = texts.events
/** Milliseconds between two renderings of a list that grows. */
const RENDER_MS = 500
/** Milliseconds until an event that could not be read is read again. */
const AGAIN_MS = 5000

/** What the address says of the types: none named is the usual ones. */
function typesOf(query: URLSearchParams): readonly EventType[] {
  const given = query.getAll('type').filter(isEventType)
  return given.length === 0 ? USUAL_TYPES : given
}

interface FilterProps {
  readonly types: readonly EventType[]
  readonly equipmentId: string | undefined
  readonly tools: readonly Tool[]
}

function Filters({ types, equipmentId, tools }: FilterProps) {
  const toggle = (type: EventType): void => {
    const next = types.includes(type) ? types.filter((other) => other !== type) : [...types, type]
    setQuery({ type: next })
  }
  return (
    <>
      <fieldset class="choice">
        <legend class="unseen">{words.type}</legend>
        {EVENT_TYPES.map((type) => (
          <label key={type}>
            <input type="checkbox" checked={types.includes(type)} onChange={() => toggle(type)} />
            <span>{words.types[type]}</span>
          </label>
        ))}
      </fieldset>
      <label class="inline-field">
        <span>{words.equipment}</span>
        <select
          value={equipmentId ?? ''}
          onChange={({ currentTarget }) => setQuery({ equipment: currentTarget.value })}
        >
          <option value="">{words.allEquipment}</option>
          {tools.map(({ id, record }) => (
            <option key={id} value={id}>
              {record.name}
            </option>
          ))}
        </select>
      </label>
      <LabelFilter tools={tools} />
    </>
  )
}

/** The event that the address names, once it is read, null where there is none; and why it is not read yet. */
function useLinked(linked: string, live: Live) {
  const found = useSignal<Event | null | undefined>(undefined)
  const problem = useSignal('')
  useEffect(() => {
    const left = new AbortController()
    found.value = undefined
    problem.value = ''
    const read = async (): Promise<void> => {
      while (!left.signal.aborted && found.peek() === undefined) {
        try {
          const event = await readEvent(live.calls, linked, left.signal)
          if (left.signal.aborted) return
          found.value = event ?? null
          problem.value = ''
        } catch (error) {
          if (!left.signal.aborted) problem.value = messageOf(error)
          await delay(live.clock, AGAIN_MS, left.signal)
        }
      }
    }
    if (linked !== '') void read()
    return () => left.abort()
  }, [linked, live])
  return { found: found.value, missing: problem.value }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')

/** Loads the list and lets it grow, until it is another one. Says why it cannot be loaded. */
function useGrowing(list: EventList, live: Live, isWaiting: boolean): string {
  const problem = useSignal('')
  useEffect(() => {
    if (isWaiting) return
    const left = new AbortController()
    const unfollow = live.follow((event) => list.take(event))
    problem.value = ''
    list.load(live.calls, left.signal).catch((error: unknown) => {
      if (!left.signal.aborted) problem.value = messageOf(error)
    })
    const cancel = every(RENDER_MS, () => list.flush())
    return () => {
      left.abort()
      unfollow()
      cancel()
    }
  }, [list, isWaiting])
  return problem.value
}

/** Stops the list where it is, and counts what came since. */
function Pause({ list }: { readonly list: EventList }) {
  const isHeld = list.isHeld.value
  return (
    <button
      type="button"
      class="pause"
      aria-pressed={isHeld}
      onClick={() => {
        if (isHeld) scrollTo(0, 0)
        list.hold(!isHeld)
      }}
    >
      {isHeld ? words.resume : words.pause}
      {isHeld && <b>{words.fresh(list.fresh.value)}</b>}
    </button>
  )
}

/** The events of the site as they come, filtered; an event has a link, with what came before it. */
export function Events({ live }: PageProps) {
  const { query } = place.value
  const linked = query.get('event') ?? ''
  const types = typesOf(query)
  const equipmentId = query.get('equipment') ?? undefined
  const labels = query.get('labels') ?? ''
  const { selector } = selectorOf(labels)
  const { found, missing } = useLinked(linked, live)
  const upTo = found ? new Date(Date.parse(found.at) + 1).toISOString() : undefined
  const list = useMemo(
    () =>
      new EventList(
        {
          types: found && !types.includes(found.type) ? [...types, found.type] : types,
          equipmentId,
          labels: selector ? labels : live.selector,
          selector,
          to: upTo,
        },
        live.site,
      ),
    [types.join(), equipmentId, labels, upTo, live, live.gaps.value],
  )
  const loading = useGrowing(list, live, linked !== '' && found === undefined)
  const older = useSignal('')
  const problem = missing || loading || older.value
  const rows = useHeldWhileRead(list)
  const opened = useSignal<ReadonlySet<string>>(new Set())
  useEffect(() => {
    opened.value = new Set([linked])
  }, [linked])
  const events = list.events.value
  const today = live.calls.date()

  return (
    <div class="events-page">
      <div class="toolbar">
        <h1>{texts.pages.events}</h1>
        <Filters types={types} equipmentId={equipmentId} tools={live.site.tools.value} />
        <CsvButton name="events" rows={events} columns={EVENT_CSV} />
        {linked === '' ? (
          <Pause list={list} />
        ) : (
          <a class="button pause" href="/events">
            {words.live}
          </a>
        )}
      </div>
      {linked !== '' && found === null && <p class="notice">{words.gone(linked)}</p>}
      {found && <p class="notice">{words.only(linked)}</p>}
      {live.gaps.value > 0 && <p class="notice">{words.gap}</p>}
      {problem && (
        <p class="problem" role="alert">
          {texts.failed(problem)}
        </p>
      )}
      <div ref={rows}>
        <VirtualList name={texts.pages.events} rows={events} keyOf={({ id }) => id}>
          {(event) => (
            <EventRow
              key={event.id}
              event={event}
              today={today}
              isOpen={opened.value.has(event.id)}
              toggle={(isOpen) => {
                const others = [...opened.peek()].filter((id) => id !== event.id)
                opened.value = new Set(isOpen ? [...others, event.id] : others)
              }}
            />
          )}
        </VirtualList>
      </div>
      {events.length === 0 && !list.isLoading.value && <p class="empty">{words.none}</p>}
      {list.hasOlder.value && (
        <button
          type="button"
          onClick={() => {
            older.value = ''
            list.loadOlder(live.calls).catch((error: unknown) => {
              older.value = messageOf(error)
            })
          }}
        >
          {words.older}
        </button>
      )}
    </div>
  )
}
