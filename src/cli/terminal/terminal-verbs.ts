import { endpoints } from '../../contract/endpoints.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGES } from '../equipment/equipment-targets.js'
import { required } from '../input/arguments.js'
import { numberFlag } from '../input/flags.js'

export const terminalSend = equipmentVerb({
  summary: 'Show text to the operator at an equipment (S10F3, S10F5); exit code 8 when it refuses.',
  description: 'With several texts, each is a line (S10F5).',
  usage: 'terminal send EQUIPMENT TEXT...',
  examples: [
    "secsctl terminal send etcher 'Lot L1 is on hold.'",
    "secsctl terminal send etcher 'Lot L1 is on hold.' 'Call engineering.'",
  ],
  args: { text: required('What to show.') },
  flags: {
    ...CHANGES,
    tid: numberFlag('Terminal; 0 is the main one.', { min: 0, max: 255, default: 0 }),
  },
  words: { '/text': 'TEXT', '/lines': 'TEXT' },
  async one(on, { args: { equipment, text }, flags, words: [, ...lines] }) {
    const body = { tid: flags.tid, ...(lines.length > 1 ? { lines } : { text }) }
    on.printVerdict('ACKC10', await on.ask(endpoints.sendTerminalText, equipment, flags, { body }))
  },
})
