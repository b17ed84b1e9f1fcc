import { acknowledge, code, type DataItem } from './data-item.js'
import { ERROR_CODES } from './error-codes.js'

const DONE_OR_ERROR = '0 accepted; 1 error'

const ALARM_CATEGORIES = [
  'not used',
  'personal safety',
  'equipment safety',
  'parameter control warning',
  'parameter control error',
  'irrecoverable error',
  'equipment status warning',
  'attention flags',
  'data integrity',
] as const

/** Of ALCD: the alarm is set, not cleared. */
const ALARM_SET = 0x80

/** ALCD's values, by category, with the top bit clear and set. */
const ALARM_CODES = ALARM_CATEGORIES.map(
  (category, code) => `${code} cleared, ${category}; ${code + ALARM_SET} set, ${category}`,
).join('; ')

/** Items that are codes, with what their values mean. Values that are not listed are reserved (SEMI E5). */
export const CODES: readonly DataItem[] = [
  acknowledge('ACKA', 'whether it worked', '0 failed; 1 done', { formats: ['BOOLEAN'], accepts: [1] }),
  acknowledge('ACKC5', 'answer to an alarm message', DONE_OR_ERROR),
  acknowledge('ACKC6', 'answer to a data message', DONE_OR_ERROR),
  acknowledge(
    'ACKC7',
    'answer to a process program message',
    `0 accepted; 1 not permitted; 2 length error; 3 matrix overflow; 4 no such process program;
     5 mode not supported; 6 will be done later; 7 storage is full`,
    { accepts: [0, 6] },
  ),
  acknowledge(
    'ACKC10',
    'answer to a terminal message',
    '0 accepted; 1 will not be displayed; 2 no such terminal',
  ),
  acknowledge('CMDA', 'answer to a remote command', '0 done; 1 no such command; 2 cannot perform now', {
    formats: ['U1', 'I1', 'B'],
  }),
  acknowledge('COMMACK', 'answer to the request to communicate', '0 accepted; 1 denied, try again'),
  acknowledge(
    'DRACK',
    'answer to the definition of reports',
    '0 accepted; 1 not enough space; 2 wrong format; 3 a report is already defined; 4 no such variable',
  ),
  acknowledge(
    'EAC',
    'answer to new equipment constants',
    '0 accepted; 1 no such constant; 2 busy; 3 a constant is out of range',
  ),
  acknowledge('ERACK', 'answer to enabling or disabling events', '0 accepted; 1 no such event'),
  acknowledge(
    'GRANT',
    'answer to the request to send a large message',
    '0 granted; 1 busy, try again; 2 no space; 3 DATAID already in use',
  ),
  acknowledge(
    'GRANT6',
    'answer to the request to send large data',
    '0 granted; 1 busy, try again; 2 not interested',
  ),
  acknowledge(
    'HCACK',
    'answer to a host command',
    `0 done; 1 no such command; 2 cannot perform now; 3 a parameter is invalid;
     4 will finish later, with an event; 5 already in that condition; 6 no such object`,
    { accepts: [0, 4] },
  ),
  acknowledge(
    'LRACK',
    'answer to the linking of reports to events',
    `0 accepted; 1 not enough space; 2 wrong format; 3 an event already has links; 4 no such event;
     5 no such report`,
  ),
  acknowledge('OFLACK', 'answer to the request to go off-line', '0 accepted'),
  acknowledge(
    'ONLACK',
    'answer to the request to go on-line',
    '0 accepted; 1 not allowed; 2 already on-line',
  ),
  acknowledge(
    'PPGNT',
    'answer to the request to send a process program',
    `0 granted; 1 already there; 2 no space; 3 invalid name; 4 busy, try later; 5 will not be accepted;
     6 other error`,
  ),
  acknowledge(
    'RSDA',
    'answer to the request for spooled data',
    '0 accepted; 1 busy, try later; 2 nothing is spooled',
  ),
  acknowledge('RSPACK', 'answer to the choice of what is spooled', '0 accepted; 1 rejected'),
  acknowledge(
    'TIAACK',
    'answer to the start of a trace',
    `0 accepted; 1 too many variables; 2 no more traces; 3 invalid period; 4 no such variable;
     5 invalid group size`,
  ),
  acknowledge('TIACK', 'answer to setting the time', '0 accepted; 1 not done'),
  acknowledge(
    'VLAACK',
    'answer to the definition of limits',
    '0 accepted; 1 a definition is wrong; 2 cannot perform now',
  ),
  // What follows comes inside an answer, about one part of the request.
  {
    // B in some documents, U1 in others; a list where the value that it answers is one.
    ...code(
      'CEPACK',
      'what was wrong with a parameter',
      '0 no error; 1 no such parameter; 2 illegal value; 3 illegal format; 4 not valid here',
      { formats: ['B', 'U1', 'L'] },
    ),
    single: false,
  },
  code(
    'CPACK',
    'what was wrong with a parameter',
    '0 no error; 1 no such parameter; 2 illegal value; 3 illegal format',
  ),
  code('ERRCODE', 'what was wrong', ERROR_CODES, {
    formats: ['U4', 'U2', 'U1', 'U8', 'I4', 'I2', 'I1', 'I8'],
    open: true,
  }),
  code(
    'LIMITACK',
    'what was wrong with a limit',
    `0 no error; 1 no such limit; 2 upper end above the maximum; 3 lower end below the minimum;
     4 upper end below the lower; 5 illegal format; 6 text that is no number; 7 defined twice`,
  ),
  code(
    'LVACK',
    'what was wrong with a variable',
    '0 no error; 1 no such variable; 2 it cannot have limits; 3 named twice; 4 a limit is wrong',
  ),
  code(
    'STRACK',
    'what was wrong with a stream',
    `0 no error; 1 spooling is not allowed for it; 2 no such stream; 3 no such function;
     4 a function is a secondary`,
  ),
  code('ALCD', 'alarm code: top bit set or cleared, the other seven the category', ALARM_CODES, {
    open: true,
  }),
  // Commands.
  code('ALED', 'enables or disables an alarm: the top bit enables', '0 disable; 128 enable'),
  code('RSDC', 'what to do with spooled data', '0 send it; 1 purge it', { formats: ['U1', 'B'] }),
]

/** Codes from here on are the equipment's own (SEMI E5). */
const FIRST_OWN_CODE = 64

/** What ALCD's category means. `code` may be all of ALCD: its top bit is not looked at. */
export function categoryOf(code: number): string {
  const category = code & 0x7f
  return ALARM_CATEGORIES[category] ?? (category < FIRST_OWN_CODE ? 'other category' : 'equipment-specific')
}

/**
 * What a value of a code means. Of one that is not listed: `reserved` or `equipment-specific`, or `not listed`
 * where there are more values than those.
 */
export function meaningOf(item: DataItem, value: number): string {
  const listed = item.values?.[value]
  if (listed !== undefined) return listed
  if (item.open) return 'not listed'
  return value < FIRST_OWN_CODE ? 'reserved' : 'equipment-specific'
}
