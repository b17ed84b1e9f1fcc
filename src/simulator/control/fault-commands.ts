import { hasCode } from '../faults.js'
import type { Simulator } from '../simulator.js'
import { type ControlCommand, durationOf, onOff, Refusal, type Told, wholeNumber } from './command.js'
import { notSelected } from './message-commands.js'

const MAX_GARBAGE = 1_000_000
/** A frame cannot be so long: the peer knows at once that this is none. */
const NO_LENGTH = 0xff

const told = ({ faults }: Simulator): Told => ({ faults: faults.told })

/** The secondary that a fault is about. */
function secondary(text: string): string {
  const [, stream, fn] = /^S(\d{1,3})F(\d{1,3})$/i.exec(text) ?? []
  if (!hasCode(Number(stream), Number(fn))) {
    throw new Refusal(
      'usage',
      `"${text}" is no answer of an equipment with an acknowledge code, such as S2F42`,
    )
  }
  return `S${Number(stream)}F${Number(fn)}`
}

/** Of `off` undefined, else what the word is. */
const unlessOff = <Value>(word: string, read: (word: string) => Value): Value | undefined =>
  word === 'off' ? undefined : read(word)

const byte = (word: string): number => wholeNumber(word, 0, 255)

/** What the equipment does wrong from now on. */
const LASTING: readonly ControlCommand[] = [
  {
    name: 'silent',
    takes: 'on|off',
    summary: 'Answer no primaries any more: the host meets T3.',
    least: 1,
    most: 1,
    first: () => ['on', 'off'],
    run: ({ simulator, words: [word = ''] }) => {
      simulator.faults.silent = onOff(word)
      return told(simulator)
    },
  },
  {
    name: 'quiet',
    takes: 'on|off',
    summary: 'Send no primary of its own: no events, no alarms, no S1F13.',
    least: 1,
    most: 1,
    first: () => ['on', 'off'],
    run: ({ simulator, words: [word = ''] }) => {
      simulator.faults.quiet = onOff(word)
      return told(simulator)
    },
  },
  {
    name: 'late',
    takes: 'DURATION|off',
    summary: 'Answer primaries so much later, such as 3s.',
    least: 1,
    most: 1,
    first: () => ['off'],
    run: ({ simulator, words: [word = ''] }) => {
      simulator.faults.late = unlessOff(word, durationOf) ?? 0
      return told(simulator)
    },
  },
  {
    name: 'ack',
    takes: 'SxFy CODE|off',
    summary: 'Answer with this acknowledge code, such as: ack S2F42 3.',
    least: 2,
    most: 2,
    run: ({ simulator, words: [name = '', word = ''] }) => {
      const message = secondary(name)
      const code = unlessOff(word, byte)
      if (code === undefined) simulator.faults.acknowledges.delete(message)
      else simulator.faults.acknowledges.set(message, code)
      return told(simulator)
    },
  },
  {
    name: 'reject',
    takes: 'REASON|off',
    summary: 'Answer primaries by Reject.req with this reason, 1 to 255; 4 is not selected.',
    least: 1,
    most: 1,
    first: () => ['4', 'off'],
    run: ({ simulator, words: [word = ''] }) => {
      simulator.faults.reject = unlessOff(word, (reason) => wholeNumber(reason, 1, 255))
      return told(simulator)
    },
  },
  {
    name: 'linktest',
    takes: 'on|off',
    summary: 'Whether Linktest.req is answered: without it the host gives the link up.',
    least: 1,
    most: 1,
    first: () => ['on', 'off'],
    run: ({ simulator, words: [word = ''] }) => {
      simulator.faults.linktest = onOff(word)
      return told(simulator)
    },
  },
  {
    name: 'select',
    takes: 'STATUS|off',
    summary: 'Answer Select.req with this status, 0 to 255; 2 is not ready.',
    least: 1,
    most: 1,
    first: () => ['2', 'off'],
    run: ({ simulator, words: [word = ''] }) => {
      simulator.faults.selectStatus = unlessOff(word, byte)
      return told(simulator)
    },
  },
  {
    name: 'greet',
    takes: 'TEXT|off',
    summary: 'Say this as soon as there is a connection, as who speaks no HSMS does.',
    least: 1,
    most: 1000,
    first: () => ['off'],
    run: ({ simulator, words }) => {
      const text = words.join(' ')
      simulator.faults.greeting = unlessOff(text, (given) => Buffer.from(`${given}\r\n`))
      return told(simulator)
    },
  },
  {
    name: 'mend',
    takes: '',
    summary: 'Do nothing wrong any more.',
    least: 0,
    most: 0,
    run: ({ simulator }) => {
      simulator.faults.clear()
      return told(simulator)
    },
  },
]

/** What goes wrong once, to the link that is there. */
const AT_ONCE: readonly ControlCommand[] = [
  {
    name: 'garbage',
    takes: '[COUNT]',
    summary: 'Send bytes that are no HSMS; 16 unless told, a million at most.',
    least: 0,
    most: 1,
    run: ({ simulator, words: [word = '16'] }) => {
      const count = wholeNumber(word, 1, MAX_GARBAGE)
      if (!simulator.inject(new Uint8Array(count).fill(NO_LENGTH))) throw notSelected(simulator)
      return { bytes: count }
    },
  },
  {
    name: 'drop',
    takes: '',
    summary: 'Break the link without a word; it comes up again.',
    least: 0,
    most: 0,
    run: ({ simulator }) => {
      if (!simulator.drop()) throw notSelected(simulator)
      return { dropped: true }
    },
  },
  {
    name: 'separate',
    takes: '',
    summary: 'End the session by Separate.req; the link comes up again.',
    least: 0,
    most: 0,
    run: ({ simulator }) => {
      if (simulator.connectionState !== 'SELECTED' || !simulator.separate()) throw notSelected(simulator)
      return { separated: true }
    },
  },
]

export const FAULT_COMMANDS: readonly ControlCommand[] = [...LASTING, ...AT_ONCE]
