import { texts } from '../../texts.js'
import type { Slot, SlotWord } from './slots.js'

const words = texts.gem300

/** How the processing of a substrate is drawn; other states have a sign of their own kind, and each has its word. */
export type Fill = 'plain' | 'waiting' | 'half' | 'done' | 'bad' | 'skipped' | 'unknown'

const FILLS: ReadonlyMap<string, Fill> = new Map([
  ['NEEDS_PROCESSING', 'waiting'],
  ['IN_PROCESS', 'half'],
  ['PROCESSED', 'done'],
  ['ABORTED', 'bad'],
  ['STOPPED', 'bad'],
  ['REJECTED', 'bad'],
  ['LOST', 'bad'],
  ['SKIPPED', 'skipped'],
])

/** The processing state of a substrate; undefined where nobody has told one. */
export const processingOf = ({ substrate }: Pick<Slot, 'substrate'>): string | undefined =>
  substrate?.states['processing']?.state

export const fillOf = (processing: string | undefined): Fill =>
  processing === undefined ? 'plain' : (FILLS.get(processing) ?? 'unknown')

interface Props {
  readonly word: SlotWord
  readonly fill: Fill
}

/** A slot as a shape, which says the same without its colour: how a substrate lies there, and what was done with it. */
export function SlotSign({ word, fill }: Props) {
  return (
    <svg class={`slot-sign slot-${fill}`} viewBox="0 0 40 14" aria-hidden="true">
      <Shape word={word} fill={fill} />
    </svg>
  )
}

function Shape({ word, fill }: Props) {
  switch (word) {
    case 'EMPTY':
      return <path class="slot-line" d="M3 11H37" />
    case 'NOT_READ':
      return <path class="slot-line slot-dots" d="M3 7H37" />
    case 'DOUBLE_SLOTTED':
      return <path class="slot-wrong" d="M2 1.5H38V5.5H2ZM2 8.5H38V12.5H2Z" />
    case 'CROSS_SLOTTED':
      return <path class="slot-wrong" d="M2 9 38 1V5L2 13Z" />
    case 'UNDEFINED':
    case 'UNKNOWN':
      return (
        <text x="20" y="11.5" text-anchor="middle">
          {word === 'UNDEFINED' ? '?' : '!'}
        </text>
      )
    case 'NOT_EMPTY':
      return <rect class="slot-wafer slot-dashed" x="2" y="3.5" width="36" height="7" />
    default:
      return <Wafer fill={fill} />
  }
}

function Wafer({ fill }: { readonly fill: Fill }) {
  return (
    <>
      <rect class="slot-wafer" x="2" y="3.5" width="36" height="7" rx="2" />
      {fill === 'half' && <rect class="slot-part" x="2" y="3.5" width="18" height="7" rx="2" />}
      {fill === 'done' && <path class="slot-tick" d="M15.5 7 18.5 9 25 5" />}
      {fill === 'bad' && <path class="slot-mark" d="M14 2 26 12M26 2 14 12" />}
      {fill === 'skipped' && <path class="slot-mark" d="M6 7H34" />}
      {fill === 'unknown' && (
        <text x="20" y="11.5" text-anchor="middle">
          ?
        </text>
      )}
    </>
  )
}

const SHAPES: readonly SlotWord[] = [
  'EMPTY',
  'CORRECTLY_OCCUPIED',
  'NOT_EMPTY',
  'DOUBLE_SLOTTED',
  'CROSS_SLOTTED',
  'UNDEFINED',
  'UNKNOWN',
  'NOT_READ',
]

/** What the signs mean that are drawn. */
export function SlotLegend({ slots }: { readonly slots: readonly Slot[] }) {
  const shapes = SHAPES.filter((word) =>
    slots.some((slot) => slot.word === word && (word !== 'CORRECTLY_OCCUPIED' || !slot.substrate)),
  )
  const states = [...new Set(slots.flatMap((slot) => processingOf(slot) ?? []))].sort()
  return (
    <ul class="slot-legend" aria-label={words.legend}>
      {shapes.map((word) => (
        <li key={word}>
          <SlotSign word={word} fill="plain" /> {words.slots[word]}
        </li>
      ))}
      {states.map((state) => (
        <li key={state}>
          <SlotSign word="CORRECTLY_OCCUPIED" fill={fillOf(state)} /> {state}
        </li>
      ))}
    </ul>
  )
}
