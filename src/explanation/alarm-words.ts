import { categoryOf } from '../catalogue/codes.js'
import type { Entry } from './explanation.js'

const ACKNOWLEDGE = 'secsctl alarms ack ID --comment TEXT'

/** By category: what to do first about an alarm of it, and the commands after the list of active alarms. Acknowledging an alarm is recorded in this gateway only. */
const CATEGORIES: readonly (readonly [next: string, ...commands: readonly string[]])[] = [
  ['The equipment gives the alarm no category.'],
  [
    'People may be in danger. Send nobody and nothing to the equipment before somebody responsible has looked at it there.',
    ACKNOWLEDGE,
  ],
  ['The equipment may be damaged. Have somebody look at it before you send it commands.', ACKNOWLEDGE],
  ['A parameter leaves its limits. Watch it; the material in process may be affected.', ACKNOWLEDGE],
  [
    'A parameter is outside its limits. The material in process is probably affected: hold the lot until somebody has looked.',
    ACKNOWLEDGE,
  ],
  ['The equipment cannot continue by itself. Somebody has to go there.', 'secsctl equipment show EQ'],
  ['The equipment asks for attention, and continues.', ACKNOWLEDGE],
  ['The operator is asked for something.', ACKNOWLEDGE],
  [
    'Data may be wrong or missing. Compare what was recorded with the equipment.',
    'secsctl messages list --equipment EQ --message S6F11 --limit 20',
  ],
]

/** The categories of alarms, the low seven bits of ALCD (SEMI E5). */
export const ALARM_WORDS: readonly Entry[] = CATEGORIES.map(([next, ...commands], category) => ({
  word: categoryOf(category),
  kind: 'alarm category',
  meaning: `An alarm with ${category} in the low seven bits of its ALCD.`,
  facts: [['ALCD', `${category} cleared, ${category + 0x80} set`]],
  also: [`alarm category ${category}`, `category ${category}`],
  next,
  commands: ['secsctl alarms list --active', ...commands],
}))
