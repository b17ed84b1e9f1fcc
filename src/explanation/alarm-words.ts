import { categoryOf } from '../catalogue/codes.js'
import { type Advice, advice, type Entry } from './explanation.js'

const LIST = 'secsctl alarms list --active'
const ACK = 'secsctl alarms ack ID --comment TEXT'

/** By category: what an alarm of it asks for first. Acknowledging tells this gateway alone that it was seen. */
const CATEGORIES: readonly Advice[] = [
  advice('The equipment gives the alarm no category.', LIST),
  advice(
    'People may be in danger. Send nobody and nothing to the equipment before somebody responsible has looked at it there.',
    LIST,
    ACK,
  ),
  advice('The equipment may be damaged. Have somebody look at it before you send it commands.', LIST, ACK),
  advice('A parameter leaves its limits. Watch it; the material in process may be affected.', LIST, ACK),
  advice(
    'A parameter is outside its limits. The material in process is probably affected: hold the lot until somebody has looked.',
    LIST,
    ACK,
  ),
  advice(
    'The equipment cannot go on by itself. Somebody has to go there.',
    LIST,
    'secsctl equipment show EQ',
  ),
  advice('The equipment wants to be looked at; it goes on.', LIST, ACK),
  advice('The operator is asked for something.', LIST, ACK),
  advice(
    'Data may be wrong or missing. Compare what was recorded with the equipment.',
    LIST,
    'secsctl messages list --equipment EQ --message S6F11 --limit 20',
  ),
]

/** The categories of alarms, the low seven bits of ALCD (SEMI E5). */
export const alarmWords = (): readonly Entry[] =>
  CATEGORIES.map((next, category) => ({
    word: categoryOf(category),
    kind: 'alarm category',
    meaning: `An alarm with ${category} in the low seven bits of its ALCD.`,
    facts: [['ALCD', `${category} cleared, ${category + 0x80} set`]],
    also: [`alarm category ${category}`, `category ${category}`],
    ...next,
  }))
