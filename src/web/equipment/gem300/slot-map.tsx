import { useEffect, useId } from 'preact/hooks'
import type { Live } from '../../gateway/live.js'
import { place, setQuery } from '../../shell/router.js'
import { texts } from '../../texts.js'
import { fillOf, processingOf, SlotSign } from './slot-sign.js'
import type { Slot } from './slots.js'
import { SubstrateWay } from './substrate-way.js'

const words = texts.gem300

/** The slot of this carrier that the address names; undefined for none. */
function chosenIn({ carrier, slots }: Props): Slot | undefined {
  const [, named, slot] = /^(.*)\/(\d{1,3})$/s.exec(place.value.query.get('slot') ?? '') ?? []
  return named === carrier ? slots.find((one) => one.slot === Number(slot)) : undefined
}

/** The slot that a key goes to; the first slot is at the bottom, as in the carrier. Undefined for another key. */
function slotAfter(key: string, at: number | undefined, count: number): number | undefined {
  if (key === 'Home') return count
  if (key === 'End') return 1
  const step = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[key]
  if (step === undefined) return undefined
  if (at === undefined) return step > 0 ? 1 : count
  return Math.max(1, Math.min(count, at + step))
}

interface Props {
  readonly carrier: string
  readonly slots: readonly Slot[]
}

/** The slots of a carrier, the first one at the bottom. One is chosen by the pointer or by arrow keys; the address has it. */
export function SlotMap({ carrier, slots }: Props) {
  const base = useId()
  const chosen = chosenIn({ carrier, slots })?.slot
  const choose = (slot: number | undefined): void =>
    setQuery({ slot: slot === undefined ? '' : `${carrier}/${slot}` })
  useEffect(() => {
    if (chosen !== undefined)
      document.getElementById(`${base}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const press = (event: KeyboardEvent): void => {
    const next = event.key === 'Escape' ? undefined : slotAfter(event.key, chosen, slots.length)
    if (next === undefined && (event.key !== 'Escape' || chosen === undefined)) return
    event.preventDefault()
    choose(next)
  }
  return (
    <div
      class="slot-map"
      role="listbox"
      tabIndex={0}
      aria-label={words.slotsOf(carrier)}
      aria-activedescendant={chosen === undefined ? undefined : `${base}-${chosen}`}
      onKeyDown={press}
    >
      {slots.toReversed().map((slot) => (
        <SlotRow
          key={slot.slot}
          id={`${base}-${slot.slot}`}
          slot={slot}
          isChosen={slot.slot === chosen}
          choose={() => choose(slot.slot === chosen ? undefined : slot.slot)}
        />
      ))}
    </div>
  )
}

interface ChosenProps extends Props {
  readonly live: Live
  /** Of the equipment. */
  readonly id: string
}

/** All that is known of the slot that is chosen, and the way of its substrate. */
export function ChosenSlot({ carrier, slots, live, id }: ChosenProps) {
  const chosen = chosenIn({ carrier, slots })
  return (
    <div class="slot-chosen">
      {chosen && <p>{sentenceOf(chosen)}</p>}
      {chosen && chosen.substrateId !== '' && (
        <SubstrateWay live={live} id={id} substrate={chosen.substrateId} />
      )}
    </div>
  )
}

interface RowProps {
  readonly id: string
  readonly slot: Slot
  readonly isChosen: boolean
  readonly choose: () => void
}

function SlotRow({ id, slot, isChosen, choose }: RowProps) {
  const processing = processingOf(slot)
  const isNamed = slot.word === 'CORRECTLY_OCCUPIED' || slot.word === 'NOT_EMPTY'
  const known = isNamed ? processing || slot.substrateId : ''
  return (
    <div
      id={id}
      class="slot"
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      title={sentenceOf(slot)}
      onClick={choose}
      onKeyDown={() => undefined}
    >
      <span class="unseen">{sentenceOf(slot)}</span>
      <span class="slot-number" aria-hidden="true">
        {slot.slot}
      </span>
      <SlotSign word={slot.word} fill={fillOf(processing)} />
      <span class="slot-text" aria-hidden="true">
        {slot.word === 'EMPTY' ? '' : known || words.slots[slot.word]}
        {slot.away !== undefined && ` → ${slot.away}`}
      </span>
    </div>
  )
}

/** All that is known of a slot. */
const sentenceOf = (slot: Slot): string =>
  words.slot(slot.slot, slot.text, {
    substrate: slot.substrateId,
    lot: slot.lot,
    processing: processingOf(slot) ?? '',
    location: slot.away ?? '',
    state: slot.substrate?.states['state']?.state ?? '',
  })
