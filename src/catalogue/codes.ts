import { ALARM_CATEGORIES } from './alarm-categories.js'
import { acknowledge, code, type DataItem } from './data-item.js'

/** What the values of ERRCODE mean; from 64 to 32767 and from 65536 on they are the equipment's own. */
const ERROR_CODES = `0 no error; 1 no such object in the specifier; 2 no such kind of target; 3 no such object;
  4 no such attribute; 5 attribute cannot be written; 6 no such kind of object;
  7 invalid attribute value; 8 syntax error; 9 verification error; 10 validation error;
  11 object ID already in use; 12 wrong parameters; 13 parameters are missing; 14 option not supported;
  15 busy; 16 not available; 17 not valid in this state; 18 no material changed;
  19 material processed in part; 20 all material processed; 21 wrong recipe; 22 failed while processing;
  23 failed while not processing; 24 material is missing; 25 job aborted; 26 job stopped;
  27 job cancelled; 28 recipe in use cannot change; 29 no such event; 30 report ID already in use;
  31 no such report; 32 report not linked; 33 no such trace; 34 trace ID already in use;
  35 too many reports; 36 invalid sample period; 37 group too large; 38 recovery not possible now;
  39 busy with another recovery; 40 no recovery under way; 41 recovery failed; 42 recovery aborted;
  43 invalid table element; 44 no such table element; 45 built in, cannot be deleted; 46 invalid token;
  47 invalid parameter; 48 no such load port; 49 load port in use; 50 carrier is missing;
  32768 will be done later; 32769 cannot be done now; 32770 failed with errors; 32771 invalid command;
  32772 client already connected; 32773 client ID already in use; 32774 invalid kind of client;
  32775 versions are not compatible; 32776 no such client; 32777 ended without success;
  32778 failed, and not safe; 32779 obstacle found; 32780 material not sent; 32781 material not received;
  32782 material lost; 32783 hardware failure; 32784 transfer cancelled`

const DONE_OR_ERROR = '0 accepted; 1 error'

/** Of ALCD: the alarm is set, not cleared. */
const ALARM_SET = 0x80

/** The values of ALCD: each category with the top bit clear, and with the top bit set. */
const ALARM_CODES = ALARM_CATEGORIES.map(
  (category, code) => `${code} cleared, ${category}; ${code + ALARM_SET} set, ${category}`,
).join('; ')

/** Items that are codes, with what their values mean. Values that are not listed are reserved (SEMI E5). */
export const CODES: readonly DataItem[] = [
  acknowledge('ACKA', 'whether it worked', '0 failed; 1 done', { formats: ['BOOLEAN'], accepts: [1] }),
  acknowledge('ACKC5', 'reply to an alarm message', DONE_OR_ERROR),
  acknowledge('ACKC6', 'reply to a data message', DONE_OR_ERROR),
  acknowledge(
    'ACKC7',
    'reply to a process program message',
    `0 accepted; 1 not permitted; 2 length error; 3 matrix overflow; 4 no such process program;
     5 mode not supported; 6 will be done later; 7 storage is full`,
    { accepts: [0, 6] },
  ),
  acknowledge(
    'ACKC10',
    'reply to a terminal message',
    '0 accepted; 1 will not be displayed; 2 no such terminal',
  ),
  acknowledge('CMDA', 'reply to a remote command', '0 done; 1 no such command; 2 cannot perform now', {
    formats: ['U1', 'I1', 'B'],
  }),
  acknowledge('COMMACK', 'reply to the request to communicate', '0 accepted; 1 denied, try again'),
  acknowledge(
    'DRACK',
    'reply to the definition of reports',
    '0 accepted; 1 not enough space; 2 wrong format; 3 a report is already defined; 4 no such variable',
  ),
  acknowledge(
    'EAC',
    'reply to new equipment constants',
    '0 accepted; 1 no such constant; 2 busy; 3 a constant is out of range',
  ),
  acknowledge('ERACK', 'reply to enabling or disabling events', '0 accepted; 1 no such event'),
  acknowledge(
    'GRANT',
    'reply to the request to send a large message',
    '0 granted; 1 busy, try again; 2 no space; 3 DATAID already in use',
  ),
  acknowledge(
    'GRANT6',
    'reply to the request to send large data',
    '0 granted; 1 busy, try again; 2 not interested',
  ),
  acknowledge(
    'HCACK',
    'reply to a host command',
    `0 done; 1 no such command; 2 cannot perform now; 3 a parameter is invalid;
     4 will finish later, with an event; 5 already in that condition; 6 no such object`,
    { accepts: [0, 4] },
  ),
  acknowledge(
    'LRACK',
    'reply to the linking of reports to events',
    `0 accepted; 1 not enough space; 2 wrong format; 3 an event already has links; 4 no such event;
     5 no such report`,
  ),
  acknowledge('OFLACK', 'reply to the request to go offline', '0 accepted'),
  acknowledge('ONLACK', 'reply to the request to go online', '0 accepted; 1 not allowed; 2 already online'),
  acknowledge(
    'PPGNT',
    'reply to the request to send a process program',
    `0 granted; 1 already there; 2 no space; 3 invalid name; 4 busy, try later; 5 will not be accepted;
     6 other error`,
  ),
  acknowledge(
    'RSDA',
    'reply to the request for spooled data',
    '0 accepted; 1 busy, try later; 2 nothing is spooled',
  ),
  acknowledge('RSPACK', 'reply to the choice of what is spooled', '0 accepted; 1 rejected'),
  acknowledge(
    'TIAACK',
    'reply to the start of a trace',
    `0 accepted; 1 too many variables; 2 no more traces; 3 invalid period; 4 no such variable;
     5 invalid group size`,
  ),
  acknowledge('TIACK', 'reply to setting the time', '0 accepted; 1 not done'),
  acknowledge(
    'VLAACK',
    'reply to the definition of limits',
    '0 accepted; 1 a definition is wrong; 2 cannot perform now',
  ),
  // Codes inside an answer, each about one part of the request.
  {
    // B in some documents, U1 in others; a list if the value that it refers to is a list.
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

/** The equipment defines the codes from this one on (SEMI E5). */
const FIRST_OWN_CODE = 64

/** What ALCD's category means. `code` may be all of ALCD: its top bit is ignored. */
export function categoryOf(code: number): string {
  const category = code & 0x7f
  return ALARM_CATEGORIES[category] ?? (category < FIRST_OWN_CODE ? 'other category' : 'equipment-specific')
}

/**
 * The meaning of a value of a code. A value that is not listed is `reserved` or `equipment-specific`, or `not listed`
 * if the list is not complete.
 */
export function meaningOf(item: DataItem, value: number): string {
  const listed = item.values?.[value]
  if (listed !== undefined) return listed
  if (item.open) return 'not listed'
  return value < FIRST_OWN_CODE ? 'reserved' : 'equipment-specific'
}
