import { categoryOf } from '../catalogue/codes.js'
import { advice, type Entry } from './explanation.js'

/** By category: what to do first about an alarm of it. Acknowledging an alarm is recorded in this gateway only. */
const CATEGORIES: readonly string[] = [
  `The equipment gives the alarm no category.
    secsctl alarms list --active`,
  `People may be in danger. Send nobody and nothing to the equipment before somebody responsible has looked at it there.
    secsctl alarms list --active
    secsctl alarms ack ID --comment TEXT`,
  `The equipment may be damaged. Have somebody look at it before you send it commands.
    secsctl alarms list --active
    secsctl alarms ack ID --comment TEXT`,
  `A parameter leaves its limits. Watch it; the material in process may be affected.
    secsctl alarms list --active
    secsctl alarms ack ID --comment TEXT`,
  `A parameter is outside its limits. The material in process is probably affected: hold the lot until somebody has looked.
    secsctl alarms list --active
    secsctl alarms ack ID --comment TEXT`,
  `The equipment cannot continue by itself. Somebody has to go there.
    secsctl alarms list --active
    secsctl equipment show EQ`,
  `The equipment asks for attention, and continues.
    secsctl alarms list --active
    secsctl alarms ack ID --comment TEXT`,
  `The operator is asked for something.
    secsctl alarms list --active
    secsctl alarms ack ID --comment TEXT`,
  `Data may be wrong or missing. Compare what was recorded with the equipment.
    secsctl alarms list --active
    secsctl messages list --equipment EQ --message S6F11 --limit 20`,
]

/** The categories of alarms, the low seven bits of ALCD (SEMI E5). */
export const ALARM_WORDS: readonly Entry[] = CATEGORIES.map((text, category) => ({
  word: categoryOf(category),
  kind: 'alarm category',
  meaning: `An alarm with ${category} in the low seven bits of its ALCD.`,
  facts: [['ALCD', `${category} cleared, ${category + 0x80} set`]],
  also: [`alarm category ${category}`, `category ${category}`],
  ...advice(text),
}))
