import { FAULTS, type FaultName, faultTexts, isToolFault, setFault } from '../faults.js'
import type { Simulator } from '../simulator.js'
import { CommandError, wholeNumber } from './arguments.js'
import { type ControlCommand, notSelected, type Result, toolOf } from './command.js'

const MAX_GARBAGE_BYTES = 1_000_000
/** No frame is as long as a length of such bytes says: the peer knows at once that this is not HSMS. */
const GARBAGE = 0xff

const NAMES = Object.keys(FAULTS) as readonly FaultName[]

/** Faults of control messages. */
const OF_HSMS = new Set<FaultName>(['reject', 'linktest', 'select', 'frame'])
const NO_CONTROL = 'SECS-I has no control messages'

const result = ({ faults }: Simulator): Result => ({ faults: faultTexts(faults) })

/** One command for each row of `FAULTS`, then those that act once on the present connection. */
export const FAULT_COMMANDS: readonly ControlCommand[] = [
  ...NAMES.map((name): ControlCommand => {
    const { takes, summary } = FAULTS[name]
    const run: ControlCommand['run'] = ({ simulator, words }) => {
      if (simulator.isSecs1 && OF_HSMS.has(name)) throw new CommandError('refused', NO_CONTROL)
      if (isToolFault(name)) toolOf(simulator)
      setFault(simulator.faults, name, words)
      return result(simulator)
    }
    return { name, takes, summary, run }
  }),
  {
    name: 'mend',
    takes: '',
    summary: 'Do nothing wrong any more.',
    run: ({ simulator }) => {
      for (const name of NAMES) delete simulator.faults[name]
      return result(simulator)
    },
  },
  {
    name: 'garbage',
    takes: '[COUNT]',
    summary: 'Send bytes that are no HSMS: 16 when COUNT is left out, a million at most.',
    run: ({ simulator, words: [word = '16'] }) => {
      const bytes = wholeNumber(word, 1, MAX_GARBAGE_BYTES)
      if (!simulator.inject(new Uint8Array(bytes).fill(GARBAGE))) throw notSelected(simulator)
      return { bytes }
    },
  },
  {
    name: 'drop',
    takes: '',
    summary: 'Close the connection without Separate.req; the link comes up again.',
    run: ({ simulator }) => {
      if (!simulator.drop()) throw notSelected(simulator)
      return { dropped: true }
    },
  },
  {
    name: 'separate',
    takes: '',
    summary: 'End the session by Separate.req; the link comes up again.',
    run: ({ simulator }) => {
      if (simulator.isSecs1) throw new CommandError('refused', NO_CONTROL)
      if (simulator.connectionState !== 'SELECTED' || !simulator.separate()) throw notSelected(simulator)
      return { separated: true }
    },
  },
]
