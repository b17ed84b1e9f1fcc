import { useSignal } from '@preact/signals'
import type { Event } from '../../contract/topics/events.js'
import { EquipmentLink } from '../parts/equipment-link.js'
import { Time } from '../parts/time.js'
import { texts } from '../texts.js'
import { eventText, eventWords } from './event-words.js'

const words = texts.events

interface Props {
  readonly event: Event
  readonly today: Date
  readonly isOpen: boolean
  /** Called when it was opened or closed. */
  readonly toggle?: (isOpen: boolean) => void
}

export function EventRow({ event, today, isOpen, toggle }: Props) {
  const { title, detail } = eventWords(event)
  // The text is made only when it is looked at.
  const wasOpened = useSignal(isOpen)
  return (
    <li class={`event event-${event.type} ${event.name === 'alarm_set' ? 'is-set' : ''}`} data-id={event.id}>
      <Time at={event.at} today={today} />
      <span class="event-type">{words.types[event.type]}</span>
      {event.type === 'gateway' ? (
        <span class="muted">{words.sides['gateway']}</span>
      ) : (
        <EquipmentLink id={event.equipment_id} name={event.equipment_name} />
      )}
      <details
        open={isOpen}
        onToggle={({ currentTarget }) => {
          if (currentTarget.open) wasOpened.value = true
          if (currentTarget.open !== isOpen) toggle?.(currentTarget.open)
        }}
      >
        <summary>
          <b>{title}</b> <span>{detail}</span>
        </summary>
        {(wasOpened.value || isOpen) && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, also by keys
          <pre tabIndex={0}>{eventText(event)}</pre>
        )}
      </details>
      <a class="event-id" href={`/events?event=${event.id}`} aria-label={words.link(event.id)}>
        {event.id}
      </a>
    </li>
  )
}
